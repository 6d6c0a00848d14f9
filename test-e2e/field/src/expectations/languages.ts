import assert from 'node:assert/strict';
import {
  assertDelivered,
  assertDeliveredOrRefused,
  assertRefused,
  delivered,
  type Expectation,
  type Expectations,
} from './expect-answer.ts';

/** Which track, by its code, is delivered for each requested language; null: the request is invalid. */
const delivers =
  (videoId: string, expected: Readonly<Record<string, string | null>>): Expectation =>
  async (player) => {
    for (const [language, code] of Object.entries(expected)) {
      const answer = await player.read(videoId, { language });
      if (code === null) assertRefused(answer, { status: 400, code: 'invalid_language' });
      else assert.equal(assertDelivered(answer).body.language.delivered, code, `for ${language}`);
    }
  };

const deliversText =
  (videoId: string, text: RegExp): Expectation =>
  async (player) =>
    assert.match(assertDelivered(await player.read(videoId, { format: 'clean' })).body.text, text);

/** The labelled fallback of a translation that could not be had. */
const fallsBack =
  (videoId: string, translation: string, isStrictRefused = false): Expectation =>
  async (player) => {
    const { language } = assertDelivered(await player.read(videoId, { language: 'es' })).body;
    assert.deepEqual([language.delivered, language.fallback, language.translation], ['de', true, translation]);
    if (isStrictRefused) assertRefused(await player.read(videoId, { language: 'es', fallback: 'false' }));
  };

/** Another language is never delivered without its label. */
const labels =
  (videoId: string, languages: readonly string[]): Expectation =>
  async (player) => {
    for (const language of languages) {
      const answer = await player.read(videoId, { language });
      assertDeliveredOrRefused(answer);
      if (answer.status === 200 && !answer.body.language.fallback)
        assert.equal(
          answer.body.language.delivered.split('-')[0],
          language.replace(/^a?\./, '').slice(0, 2).toLowerCase(),
        );
    }
  };

/** What is not in the language says so. */
const marks =
  (videoId: string, languages: readonly string[]): Expectation =>
  async (player) => {
    for (const language of languages) {
      const answer = await player.read(videoId, { language });
      assertDeliveredOrRefused(answer);
      const { fallback, translation } = answer.body.language ?? { fallback: true };
      assert.ok(fallback || translation === 'served', `${language}: ${answer.text.slice(0, 200)}`);
    }
  };

const storm =
  (letter: string): Expectation =>
  async (player) => {
    for (const digit of '012345')
      assertDeliveredOrRefused(await player.read(`ftq${letter}${digit}_01234`, { language: 'es' }));
  };

export const languages: Expectations = {
  't02-zh-tw-hk': delivers('ft02_012345', {
    'zh-TW': 'zh-HK',
    'zh-Hant': 'zh-HK',
    'zh-Hans': 'zh-CN',
    zh: 'zh-CN',
  }),
  't03-zh-only-hans': labels('ft03_012345', ['zh-TW']),
  't04-pt': delivers('ft04_012345', {
    'pt-PT': 'pt-PT',
    pt: 'pt-BR',
    'pt-AO': 'pt-PT',
    'PT-br': 'pt-BR',
    pt_BR: null,
  }),
  't05-es': delivers('ft05_012345', { 'es-MX': 'es-419', es: 'es-ES', 'es-US': 'es-419', 'es-AR': 'es-419' }),
  't07-several-of-one': deliversText('ft07_012345', /track 2/),
  't07b-all-named': deliversText('ft07b_01234', /track 1/),
  't09-orig-suffix': labels('ft09_012345', [
    'en-orig',
    'a.en',
    '.en',
    'en-US-zsweiKMxjbg',
    'English',
    'auto',
    'en-GB-oxendict',
  ]),
  't10-translated-is-source': delivered('ft10_012345', { language: 'es' }),
  't11-translated-empty': fallsBack('ft11_012345', 'refused', true),
  't13-translated-html': fallsBack('ft13_012345', 'refused'),
  't15-not-translatable': fallsBack('ft15_012345', 'unavailable', true),
  't16-weird-code': async (player) => {
    for (const language of ['en', 'de']) assertDelivered(await player.read('ft16_012345', { language }));
  },
  't17-asr-before-manual-lang': async (player) => {
    const read = async (language: string) =>
      assertDelivered(await player.read('ft17_012345', { language })).body.language;
    assert.equal((await read('en')).kind, 'manual');
    assert.equal((await read('de')).delivered, 'de');
    assert.equal((await read('fr')).translation, 'served');
  },
  't18-list-changes': delivered('ft18_012345'),
  't19-empty-then-full': delivered('ft19_012345'),
  't20-no-audio-meta': async (player) => {
    const read = async (language: string) =>
      assertDelivered(await player.read('ft20_012345', { language })).body.language;
    assert.equal((await read('en')).delivered, 'en');
    assert.equal((await read('ja')).delivered, 'ja');
    const korean = await read('ko');
    assert.ok(korean.fallback || korean.translation === 'served');
  },
  't22-hyphen-case': async (player) => {
    assert.equal(assertDelivered(await player.read('ft22_012345')).body.language.kind, 'asr');
  },
  't23-relative-url': delivered('ft23_012345'),
  't24-name-named': delivered('ft24_012345'),
  't25-storm-e': storm('e'),
  't25-storm-h': storm('h'),
  't25-storm-s': storm('s'),
  't30-dub-is-default': async (player) => {
    const spoken = assertDelivered(await player.read('gt30_012345', { language: 'orig' })).body.language;
    assert.deepEqual([spoken.delivered, spoken.kind, spoken.fallback], ['de', 'asr', false]);
    const { language } = assertDelivered(await player.read('gt30_012345', { language: 'en' })).body;
    assert.equal(language.delivered, 'en');
  },
  't31-vssid-odd': deliversText('gt31_012345', /plain words/),
  't32-live-chat': deliversText('gt32_012345', /words/),
  't40-three-letters': async (player) => {
    await delivers('g7t40_00001', { eng: 'en', ger: 'de', deu: 'de', GER: 'de', fre: 'fr', fra: 'fr' })(player);
    await marks('g7t40_00001', ['dut', 'nld'])(player);
    for (const language of ['xyz', 'english'])
      assertDeliveredOrRefused(await player.read('g7t40_00001', { language }));
  },
  't41-only-en-in': delivers('g7t41_00001', { en: 'en-IN', 'en-US': 'en-IN', 'en-GB': 'en-IN', hi: 'hi' }),
  't42-other-script': async (player) => {
    await delivers('g7t42_00001', { hi: 'hi', 'hi-Latn': 'hi-Latn' })(player);
    await marks('g7t42_00002', ['pa'])(player);
    await marks('g7t42_00003', ['uz'])(player);
    await marks('g7t42_00004', ['sr-Cyrl'])(player);
  },
  't44-no-language': async (player) => {
    await marks('g7t44_00001', ['en', 'de'])(player);
    await delivers('g7t44_00002', { en: 'en' })(player);
  },
  't45-original-title': async (player) => {
    const listed = 'https://www.youtube.com/playlist?list=PLg7t45xxxxxxxxxxxxxxxxxxxxxxxxxx';
    assertDelivered(await player.list(listed));
    const title = 'Warum der Wald schweigt';
    assert.equal(assertDelivered(await player.read('g7t45_00001')).body.video.title, title);
    const { rows } = await player.runJobToManifest(listed);
    assert.deepEqual([rows[0].title, rows[0].output_file.includes(title)], [title, true]);
  },
  't25-native': async (player) => {
    for (const digit of '012345') assertDelivered(await player.read(`ftqn${digit}_01234`));
  },
};

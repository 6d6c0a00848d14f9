import assert from 'node:assert/strict';
import type { Player } from '../player.ts';
import {
  assertDelivered,
  cueTexts,
  type Expectation,
  type Expectations,
  readFormats,
} from './expect-answer.ts';

type Cue = { readonly start: number; readonly duration: number; readonly text: string };
type Read = { readonly cues: readonly Cue[]; readonly passages: readonly { start: number; text: string }[] };

const MAX_CHARACTERS = 700;

const readPassages = async (player: Player, videoId: string, characters?: number): Promise<Read> => {
  const size = characters === undefined ? {} : { passage_characters: String(characters) };
  return assertDelivered(await player.read(videoId, { format: 'json', passages: 'true', ...size })).body;
};

const readJson = async (player: Player, videoId: string) => (await readFormats(player, videoId, []))[0];

const squeezed = (texts: readonly { readonly text: string }[]): string =>
  texts
    .map(({ text }) => text)
    .join('')
    .replace(/\s+/g, '');

/** No word is changed, added or lost. */
const assertSameWords = ({ cues, passages }: Read): void => assert.equal(squeezed(passages), squeezed(cues));

/** Each passage but the last ends with the mark, and begins where the caption with its first words begins. */
const assertWholeSentences = ({ cues, passages }: Read, mark: RegExp): void => {
  for (const [index, { start, text }] of passages.entries()) {
    if (index < passages.length - 1) assert.match(text, mark);
    const first = cues.find((cue) => cue.start === start);
    assert.ok(first && text.startsWith(first.text.split(/\s/)[0] ?? ''), `a passage at ${start}`);
  }
};

const passagesOf =
  (videoId: string, check: (read: Read) => void, characters?: number): Expectation =>
  async (player) => {
    const read = await readPassages(player, videoId, characters);
    assertSameWords(read);
    check(read);
  };

const cleanOf = async (player: Player, videoId: string): Promise<string> =>
  assertDelivered(await player.read(videoId, { format: 'clean' })).body.text;

const assertEachWithin = ({ passages }: Read): void => {
  for (const { text } of passages) assert.ok([...text].length <= MAX_CHARACTERS, text.slice(0, 80));
};

const beginnings = ({ passages: found }: Read, label: RegExp): (string | undefined)[] =>
  found.map(({ text }) => label.exec(text)?.[1]);

const startsOf = (text: string): string[] => [...text.matchAll(/^(\d\d:\d\d:\d\d)[,.]\d{3} -->/gm)].map(String);

export const passages: Expectations = {
  'r01-turn-digit': passagesOf('gr01_012345', ({ passages: found, cues }) =>
    assert.deepEqual(
      found.map(({ text }) => text),
      cues.map(({ text }) => text),
    ),
  ),
  'r03-dash-dialogue': passagesOf('gr03_012345', () => undefined),
  'r04-zh-said': passagesOf('gr04_012345', ({ passages: found }) => {
    for (const { text } of found.slice(0, -1)) assert.ok(text.length >= 200, text);
  }),
  'r06-sounds': passagesOf('gr06_012345', ({ passages: found }) => assert.equal(found.length, 10)),
  'r08-lyrics': async (player) => {
    const read = await readPassages(player, 'gr08_012345');
    assertSameWords(read);
    assert.equal(squeezed([{ text: await cleanOf(player, 'gr08_012345') }]), squeezed(read.cues));
  },
  'r09-abbr-en': passagesOf(
    'gr09_012345',
    ({ passages: found }) => {
      for (const { text } of found)
        assert.doesNotMatch(text, /(?:U\.S|e\.g|et al|\bFig|\bGen|\bSen|\bInc|\bMt)\.$/);
    },
    300,
  ),
  'r11-hindi-danda': passagesOf('gr11_012345', (read) => assertWholeSentences(read, /।$/), 300),
  'r12-burmese-khmer': async (player) => {
    for (const [videoId, mark] of [
      ['gr12my_0123', '။'],
      ['gr12km_0123', '។'],
    ] as const) {
      const read = await readPassages(player, videoId, 300);
      assertSameWords(read);
      assertWholeSentences(read, new RegExp(`${mark}$`));
      assert.doesNotMatch(await cleanOf(player, videoId), new RegExp(`${mark}[^\\s]`));
    }
  },
  'r13-thai-lao': async (player) => {
    for (const videoId of ['gr13th_0123', 'gr13lo_0123']) {
      const read = await readPassages(player, videoId);
      assertSameWords(read);
      assertEachWithin(read);
    }
  },
  'r15-url-end': passagesOf(
    'gr15_012345',
    ({ passages: found }) => {
      for (const { text } of found) assert.doesNotMatch(text, /(?:docs|example|v1|v1\.2|98|8|mail)\.$|@$/);
    },
    300,
  ),
  'r16-zh-asr-spaces': async (player) => {
    const clean = await cleanOf(player, 'gr16_012345');
    const [, ...later] = cueTexts(await readJson(player, 'gr16_012345'));
    const glued = `${later[0]?.split(' ').at(-1)}${later[1]?.split(' ')[0]}`;
    assert.ok(!clean.includes(glued), glued);
  },
  'r19-rtl': async (player) => {
    const [json, srt = '', vtt = ''] = await readFormats(player, 'gr19_012345', ['srt', 'vtt']);
    const texts = cueTexts(json);
    assert.equal(texts.length, 4);
    assert.match(String(texts[0]), /^\u202b.*\.\u202c$/);
    for (const mark of ['\u200f', '\u202b', '\u202c', '\u2067', '\u2069'])
      for (const text of [texts.join(''), srt, vtt]) assert.ok(text.includes(mark), mark);
  },
  'r20-karaoke-frames': async (player) => {
    const [json, srt = '', vtt = '', clean = ''] = await readFormats(player, 'gr20_012345', [
      'srt',
      'vtt',
      'clean',
    ]);
    const [first, ...others] = json.body.cues;
    assert.deepEqual([first.start, first.duration, others.length, others[0]?.start], [0, 2.4, 1, 3]);
    for (const text of [srt, vtt, clean]) assert.equal(text.split(first.text).length, 2);
  },
  'r22-ruby': async (player) => {
    const texts: string[] = [];
    for (const videoId of ['gr22a_01234', 'gr22b_01234'])
      texts.push(cueTexts(await readJson(player, videoId)).join('\n'));
    assert.equal(texts[0], texts[1]);
    assert.match(String(texts[0]), /^漢字[(（]かんじ[)）]を読む$/);
  },
  'r23-positions': async (player) => {
    const [json, srt = '', vtt = ''] = await readFormats(player, 'gr23_012345', ['srt', 'vtt']);
    assert.deepEqual(
      json.body.cues.slice(0, 2).map(({ start, duration }: Cue) => [start, duration]),
      [
        [1, 2],
        [1, 2.5],
      ],
    );
    for (const text of [srt, vtt]) {
      assert.equal(startsOf(text).length, 3);
      assert.match(text, /00:00:01[,.]000 --> 00:00:03[,.]000\nleft person\nright person\n\n/);
    }
  },
  'r24-negative-start': async (player) => {
    const [json, srt = '', vtt = ''] = await readFormats(player, 'gr24a_01234', ['srt', 'vtt']);
    assert.deepEqual([json.body.cues.length, json.body.cues[0].start], [20, 0]);
    for (const text of [srt, vtt]) assert.equal(startsOf(text).length, 20);
    assert.equal((await readJson(player, 'gr24b_01234')).body.cues.length, 3);
  },
  'r25-double-entities': async (player) => {
    const [json, srt = '', vtt = ''] = await readFormats(player, 'gr25_012345', ['srt', 'vtt']);
    const first = String(cueTexts(json)[0]);
    assert.match(first, /^(?:&gt;&gt;|>>) /);
    // A word joiner keeps an entity from the readers of SRT that decode it.
    assert.ok(srt.replaceAll('\u2060', '').includes(first));
    const decoded = vtt.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    assert.ok(decoded.includes(first), vtt);
  },
  'r26-hyphens': async (player) => {
    const json = await readJson(player, 'gr26_012345');
    assert.match(cueTexts(json).join('\n'), /trans-\nlation/);
    const clean = await cleanOf(player, 'gr26_012345');
    assert.match(clean, /trans-lation|translation|trans- lation/);
    assert.equal(clean.includes('\u00ad'), cueTexts(json).join('').includes('\u00ad'));
  },
  'r27-allcaps': passagesOf('gr27_012345', (read) => {
    assertEachWithin(read);
    const turns = read.passages.flatMap(({ text }) => [...text.matchAll(/>>/g)].map(({ index }) => index));
    assert.deepEqual(turns, Array(8).fill(0));
  }),
  'r28-ten-hours': async (player) => {
    const read = await readPassages(player, 'gr28_012345');
    assert.equal(read.cues.length, 18_000);
    assertSameWords(read);
    assertEachWithin(read);
    for (const paragraph of (await cleanOf(player, 'gr28_012345')).split('\n\n'))
      assert.ok(paragraph.length <= MAX_CHARACTERS, paragraph.slice(0, 80));
    const { text } = assertDelivered(await player.read('gr28_012345', { format: 'md' })).body;
    const last = Number([...text.matchAll(/[?&]t=(\d+)s/g)].at(-1)?.[1]);
    assert.ok(last > 35_900 && last <= 35_998, String(last));
  },
  'r31-emoji': async (player) =>
    assert.deepEqual(cueTexts(await readJson(player, 'gr31_012345')), ['👩‍💻 writes ❤️ in 🇩🇪 1️⃣']),
  'r41-bracket-speakers': async (player) => {
    for (const videoId of ['g7r41_00001', 'g7r41_00002', 'g7r41_00003'])
      assert.equal((await readPassages(player, videoId)).passages.length, 6, videoId);
  },
  'r42-speaker-ids': async (player) => {
    for (const videoId of ['g7r42_00001', 'g7r42_00002'])
      assert.deepEqual(beginnings(await readPassages(player, videoId), /SPEAKER_(\d\d)/), [
        '00',
        '01',
        '00',
        '01',
      ]);
  },
  'r44-name-two-lines': passagesOf('g7r44_00001', (read) =>
    assert.deepEqual(beginnings(read, /^(\w+):/), ['MAN', 'WOMAN', 'MAN', 'WOMAN', 'MAN']),
  ),
  'r45-hidden-word': passagesOf('g7r45_00001', ({ passages: found }) =>
    assert.deepEqual(
      found.map(({ text }) => text.replaceAll(/\s+/g, ' ')),
      ['what the [ __ ] is this [ __ ] doing here'],
    ),
  ),
  'r46-mid-line-name': async (player) =>
    assert.equal(await cleanOf(player, 'g7r46_00001'), 'I am trying to! (MASTER): Faster now. Evacuate.'),
  'r33-mixed-scripts': async (player) => {
    const clean = (await cleanOf(player, 'gr33_012345')).replace(/\n+/g, ' ');
    const [, before, after] = /我们用( ?)iPhone( ?)拍照/.exec(clean) ?? [];
    assert.ok(before !== undefined && before === after, clean);
    for (const words of ['Hello world', '안녕 하세요']) assert.ok(clean.includes(words), clean);
  },
};

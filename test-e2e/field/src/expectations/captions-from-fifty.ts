import assert from 'node:assert/strict';
import type { Player } from '../player.ts';
import {
  assertDelivered,
  cueTexts,
  type Expectation,
  type Expectations,
  open,
  readFormats,
} from './expect-answer.ts';

const cleanOf = async (player: Player, videoId: string, query: Record<string, string> = {}): Promise<string> =>
  assertDelivered(await player.read(videoId, { format: 'clean', ...query })).body.text.replace(/\s+/g, ' ');

type Passages = readonly { readonly text: string }[];
const passagesOf = async (player: Player, videoId: string, characters = 300): Promise<Passages> => {
  const query = { format: 'json', passages: 'true', passage_characters: String(characters) };
  return assertDelivered(await player.read(videoId, query)).body.passages;
};

/** No passage of the videos but the last ends so. */
const neverEndsWith =
  (name: string, count: number, mark: RegExp): Expectation =>
  async (player) => {
    for (let index = 1; index <= count; index += 1)
      for (const { text } of (await passagesOf(player, `g8${name}_0000${index}`)).slice(0, -1))
        assert.doesNotMatch(text, mark);
  };

const countsPassages =
  (videoId: string, count: number): Expectation =>
  async (player) =>
    assert.equal((await passagesOf(player, videoId)).length, count);

/** Which track, and its text, is delivered for a language. */
const deliversText =
  (videoId: string, language: string, text: RegExp): Expectation =>
  async (player) => {
    const { body } = assertDelivered(await player.read(videoId, { language, format: 'clean' }));
    assert.match(body.text, text);
    assert.equal(body.language.fallback, false);
  };

const both =
  (...expectations: readonly Expectation[]): Expectation =>
  async (player) => {
    for (const expectation of expectations) await expectation(player);
  };

const deliversCode =
  (videoId: string, language: string, code: string, isFallback: boolean): Expectation =>
  async (player) => {
    const found = assertDelivered(await player.read(videoId, { language })).body.language;
    assert.deepEqual([found.delivered, found.fallback], [code, isFallback]);
  };

const RIVER = 'THE RIVER RISES';

export const captionsFromFifty: Expectations = {
  'c50-beyond-the-end': async (player) => {
    const [json, srt = ''] = await readFormats(player, 'g8c50_00001', ['srt']);
    assert.deepEqual([json.body.cues.length, srt.match(/-->/g)?.length], [60, 60]);
    assert.match(await cleanOf(player, 'g8c50_00001'), /line number 59/);
  },
  // Parts of words are not known of the platform.
  'c51-appended-syllables': open('g8c51_00001'),
  'c53-long-overlay': async (player) => {
    const [json] = await readFormats(player, 'g8c53_00001', []);
    assert.deepEqual([json.body.cues[0].start, json.body.cues[0].duration], [0, 3_600]);
  },
  'r50-number-cut': neverEndsWith('r50', 1, /(?:\b04|version 3)\.$/),
  'r51-initials-titles': neverEndsWith(
    'r51',
    3,
    /\b(?:Dr|Mrs?|Prof|[ap]\.m|A\. B\. C|No|vs|St|Col|Jan|Ph\.D|vol)\.$/,
  ),
  'r52-ellipsis-goes-on': neverEndsWith('r52', 3, /(?:\.\.\.|…|--)$/),
  'r53-two-languages-at-once': async (player) => {
    const [json] = await readFormats(player, 'g8r53_00001', []);
    assert.equal(json.body.cues.length, 12);
    assert.doesNotMatch(await cleanOf(player, 'g8r53_00001', { language: 'ja' }), /\p{Script=Hiragana}No\b/u);
  },
  'r54-dash-bracket-speakers': countsPassages('g8r54_00001', 6),
  'r55-labels-of-today': countsPassages('g8r55_00001', 9),
  'r56-two-lines-one-time': async (player) =>
    assert.match(await cleanOf(player, 'g8r56_00001'), /♪ Nobody said the road would be as long as this ♪/),
  'r58-rolling-lines': async (player) => {
    for (const video of ['g8r58_00001', 'g8r58_00002']) {
      assert.equal((await cleanOf(player, video)).split(RIVER).length, 2);
      const [json] = await readFormats(player, video, []);
      assert.ok(cueTexts(json).filter((text) => text.includes(RIVER)).length > 1);
    }
  },
  't50-descriptive-audio': both(
    deliversText('g8t50_00001', 'en', /plain words/),
    deliversText('g8t50_00001', 'orig', /plain words/),
  ),
  't51-order-of-the-menu': both(deliversCode('g8t51_00001', 'ko', 'en', true), async (player) =>
    assert.equal(
      assertDelivered(await player.read('g8t51_00001', { language: 'orig' })).body.language.delivered,
      'en',
    ),
  ),
  't53-forced-track': deliversText('g8t53_00001', 'en', /whole captions/),
  't55-two-audios-one-track': deliversCode('g8t55_00001', 'orig', 'pt', false),
  't57-script-of-the-audio': both(
    deliversCode('g8t57_00001', 'orig', 'zh-Hant', false),
    deliversCode('g8t57_00002', 'orig', 'zh-Hans', false),
  ),
};

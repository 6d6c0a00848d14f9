import { expect, it } from '@jest/globals';
import { PASSAGE_CHARACTERS } from '@tds/contracts';
import fc from 'fast-check';
import { normalizeCues } from './cues.ts';
import { mergeLayers } from './layers.ts';
import { buildPassages, listPassages } from './passage-list.ts';
import { toPassages } from './passages.ts';
import { renderTranscript } from './render-transcript.ts';
import { arbitraryCues } from './test-support/arbitrary-cues.ts';
import { cue, inputOf, video } from './test-support/cues.ts';

it('the passages of a file of words lead to their second and begin with the chapters', () => {
  const file = renderTranscript(inputOf(cue(1_540, 1_000, 'one'), cue(3_723_999, 500, 'two')), 'words');
  const chapters = [{ start: 3_700, title: 'Two' }];
  expect(
    listPassages(JSON.parse(file), { language: 'en', video: { ...video, chapters } }, PASSAGE_CHARACTERS),
  ).toEqual([
    { start: 1.54, end: 2.54, text: 'one', url: 'https://www.youtube.com/watch?v=GJLlxj_dtq8&t=1s' },
    {
      start: 3_723.999,
      end: 3_724.499,
      text: 'two',
      url: 'https://www.youtube.com/watch?v=GJLlxj_dtq8&t=3723s',
      chapters: ['Two'],
    },
  ]);
});

const options = { chapters: [], language: 'en' };

it('the passages of a file of words are those of its captions', () => {
  fc.assert(
    fc.property(arbitraryCues(1_000_000), (cues) => {
      const listed = listPassages(
        JSON.parse(renderTranscript(inputOf(...cues), 'words')),
        { language: 'en', video },
        200,
      );
      const passages = toPassages(mergeLayers(normalizeCues(cues)), { ...options, maxCharacters: 200 });
      expect(
        listed.map(({ start, end, text }) => ({ startMs: start * 1_000, endMs: end * 1_000, text })),
      ).toEqual(
        passages.map(({ startMs, endMs, text }) => ({
          startMs: expect.closeTo(startMs),
          endMs: expect.closeTo(endMs),
          text,
        })),
      );
    }),
  );
});

const textsOf = (texts: readonly string[]): string[] =>
  buildPassages(
    texts.map((text, index) => cue(index * 2_000, 2_000, text)),
    { language: 'und', video },
  ).map(({ text }) => text);

it('a song stands apart from what is said before and behind it, also in one caption', () => {
  const said = [
    'where it counts.',
    '♪ and so we sing ♪',
    '♪ all day',
    'in the sun ♪',
    'And on.\n♪ Then sing ♪',
  ];
  expect(textsOf(said)).toEqual([
    ...['where it counts.', '♪ and so we sing ♪ ♪ all day in the sun ♪'],
    ...['And on.', '♪ Then sing ♪'],
  ]);
});

it('in a script without spaces a passage has half of the characters, which say as much', () => {
  const lengths = textsOf(Array(200).fill('今日は図書館の歴史について話します。')).map(({ length }) => length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(PASSAGE_CHARACTERS / 2);
  expect(Math.min(...lengths)).toBeGreaterThan(PASSAGE_CHARACTERS / 8);
});

import { expect, it } from '@jest/globals';
import { byTranscript } from './found-passages.ts';

it('the passages of one transcript stand together and as they are said, where the best of them stood', () => {
  const at = (video_id: string, start: number, language = 'en') => ({
    ...{ video_id, language, kind: 'manual' as const, translated: false },
    match: { start, text: '', sentence: '' },
  });
  const found = [at('a', 57), at('b', 9), at('a', 21), at('a', 30, 'de'), at('a', 94)];
  expect(
    byTranscript(found).map(({ passages }) => passages.map(({ video_id: id, match }) => [id, match.start])),
  ).toEqual([
    [
      ['a', 21],
      ['a', 57],
      ['a', 94],
    ],
    [['b', 9]],
    [['a', 30]],
  ]);
});

import { expect, it } from '@jest/globals';
import { toQueries, trialSentence } from './monitor-words.ts';

it('each line that has something is a query', () => {
  expect(toQueries(' harbour \n\n"night shift" -crane\r\n')).toEqual(['harbour', '"night shift" -crane']);
  expect(toQueries(' \n')).toEqual([]);
});

it('a trial says in how much it has looked, and that it had nothing to look in', () => {
  const match = {};
  expect(trialSentence({ transcripts: 10, matches: [match, match, match] }, true)).toBe(
    'In the last 10 transcripts of this source: 3 matches.',
  );
  expect(trialSentence({ transcripts: 1, matches: [match] }, false)).toBe(
    'In the newest transcript of your library: 1 match.',
  );
  expect(trialSentence({ transcripts: 0, matches: [] }, true)).toMatch(
    /^You have received no transcript of this source yet/,
  );
});

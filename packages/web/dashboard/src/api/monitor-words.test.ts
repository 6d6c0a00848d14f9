import { expect, it } from '@jest/globals';
import { invalidLine, toQueries, trialSentence } from './monitor-words.ts';
import { Refusal } from './send.ts';

it('each line that has something is a query', () => {
  expect(toQueries(' harbour \n\n"night shift" -crane\r\nharbour')).toEqual([
    'harbour',
    '"night shift" -crane',
  ]);
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

it('an error names the line that it is about, and no other', () => {
  const refusal = (message: string, code = 'invalid_words') => new Refusal({ code, message } as never);
  const queries = ['harbour', '-storm'];
  expect(invalidLine(refusal('Query 2 of words (-storm) needs a word to find.'), queries)).toBe('-storm');
  expect(invalidLine(refusal('words[0] does not have that form.'), queries)).toBe('harbour');
  expect(invalidLine(refusal('Send at most 20.'), queries)).toBeNull();
  expect(invalidLine(refusal('Query 2 of words', 'rate_limit'), queries)).toBeNull();
  expect(invalidLine(null, queries)).toBeNull();
});

import { describe, expect, it } from '@jest/globals';
import { type ErrorCode, errorCodes } from '@tds/errors';
import { pageWords, wordsOfRequests } from './page-words.ts';

describe.each(Object.keys(errorCodes) as ErrorCode[])('a page that shows %s', (code) => {
  it('says so in whole sentences, and in no words of requests', () => {
    const { what = errorCodes[code].message, remedy = '' } = pageWords(code);
    expect(`${what} ${remedy}`).not.toMatch(wordsOfRequests);
    expect(what).toMatch(/^[A-Z5].*\.$/);
  });
});

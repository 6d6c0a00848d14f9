import { describe, expect, it } from '@jest/globals';
import { afterWholeList } from './source.ts';

describe('a playlist that holds more than its feed shows', () => {
  it('is read whole at every look where it is one page, and a page a look on average where it is more', () => {
    const looksBetween = [0, 1, 2, 50].map((pages) => (afterWholeList(pages).list_in ?? Number.NaN) + 1);
    expect(looksBetween).toEqual([1, 1, 2, 50]);
  });
});

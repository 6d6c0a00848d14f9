import { describe, expect, it } from '@jest/globals';
import type { Evidence } from '@tds/audit';
import { booksAgree } from './books.ts';

const breach = { invariant: 'I1', subject: 'account', what: 'balance', expected: '1', found: '2' };
/** Books whose breaches and open work come look by look; the last ones stay. */
const books = (found: readonly string[], open: readonly number[] = [0]) => {
  let [looks, questions] = [0, 0];
  const at = <T>(list: readonly T[], index: number) => list[Math.min(index, list.length - 1)] as T;
  const rows = async () => [{ count: at(open, questions++) }];
  const audit = async () => {
    const value = at(found, looks++);
    return value === '' ? [] : [{ ...breach, found: value }];
  };
  const limits = { everyMs: 10, stillMs: 300, withinMs: 900 };
  return booksAgree({ rows, atRest: true } as unknown as Evidence, { audit, ...limits });
};

describe('books that a test waits for', () => {
  it('may be wrong while they change, or while work is open', async () => {
    await expect(books(['2', '3', '4', ''])).resolves.toBeUndefined();
    await expect(books(['2', '2', '2', ''], [1])).resolves.toBeUndefined();
  });

  it('fail the test soon if nothing is open that could mend them, and in any case after the time', async () => {
    await expect(books(['2'])).rejects.toThrow(/wrong at rest:\nI1 {2}balance: expected 1, found 2/);
    await expect(books(['2'], [1])).rejects.toThrow('wrong after 0.9 s');
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  account,
  type Corruption,
  findingsAfter,
  type LedgerDatabase,
  openSmallBooks,
  stranger,
} from '../test-support/small-books.ts';

/** After the small history, entry 8 holds four parts, 9 and 10 charge three of them, and 11 refunds one. */
let database: LedgerDatabase;
beforeAll(async () => {
  database = await openSmallBooks();
  const held = { account_id: account, unit: 2, parts: [1, 2, 3, 4], job_id: stranger };
  await database.reserve({ ref: 'round', ...held });
  await database.resolve('settle', 'round', [4, 1]);
  await database.resolve('settle', 'round', [2]);
  await database.refund('round', [2]);
});
afterAll(() => database?.close());

const charged = 'charged parts of round';
const sums = 'entries of the reservation round';
const corruptions: Corruption[] = [
  {
    change: `UPDATE entries SET parts = '{1,2}' WHERE version = 9`,
    findings: [{ account, what: charged, expected: '1 2 4', found: '1 2 2' }],
  },
  {
    change: `UPDATE reservations SET charged = B'1110' WHERE ref = 'round'`,
    findings: [{ account, what: charged, expected: '1 2 3', found: '1 2 4' }],
  },
  {
    change: `UPDATE reservations SET released = B'1' WHERE ref = 'round'`,
    findings: [
      { account, what: sums },
      { account, what: 'released parts of round', expected: '1', found: '' },
      { account, what: 'parts of round', found: 'charged 1 2 4, released 1, refunded 2' },
      { account, what: expect.stringMatching(/^credits used by key/) },
    ],
  },
  {
    change: `UPDATE reservations SET refunded = B'001' WHERE ref = 'round'`,
    findings: [
      { account, what: 'refunded parts of round', expected: '3', found: '2' },
      { account, what: 'parts of round', found: 'charged 1 2 4, released , refunded 3' },
    ],
  },
  {
    change: `UPDATE entries SET job_id = NULL WHERE version = 10`,
    findings: [
      { account, what: 'entry 10', found: 'settle of 2 credits, job ' },
      { account, what: expect.stringMatching(/^entries of key/) },
    ],
  },
  {
    change: `UPDATE reservations SET held_free = 1, held_purchased = 1 WHERE ref = 'round'`,
    findings: [
      {
        account,
        what: 'what is held under round',
        expected: '0 free, 2 purchased',
        found: '1 free, 1 purchased',
      },
    ],
  },
  {
    change: `DELETE FROM entry_kinds WHERE kind = 'release'`,
    findings: [{ account, what: 'kind of entry 6', expected: 'one that is listed', found: 'release' }],
  },
];

describe('the check of the books with a job', () => {
  it('finds nothing in right books', async () => {
    expect(await database.findings()).toEqual([]);
  });

  it.each(corruptions)('finds exactly the differences after: $change', async ({ change, findings }) => {
    const found = await findingsAfter(database, change);
    expect(found).toHaveLength(findings.length);
    expect(found).toMatchObject(findings);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  account,
  type Corruption,
  findingsAfter,
  type LedgerDatabase,
  openSmallBooks,
  stranger,
} from '../test-support/small-books.ts';

/** After the small history, entry 8 holds four items, 9 and 10 charge three of them, and 11 refunds one. */
let database: LedgerDatabase;
beforeAll(async () => {
  database = await openSmallBooks();
  const held = { account_id: account, unit: 2, items: [1, 2, 3, 4], job_id: stranger };
  await database.reserve({ ref: 'reservation', ...held });
  await database.resolve('settle', 'reservation', [4, 1]);
  await database.resolve('settle', 'reservation', [2]);
  await database.refund('reservation', [2]);
});
afterAll(() => database?.close());

const charged = 'charged items of reservation';
const sums = 'entries of the reservation reservation';
const corruptions: Corruption[] = [
  {
    change: `UPDATE entries SET items = '{1,2}' WHERE version = 9`,
    findings: [{ account, what: charged, expected: '1 2 4', found: '1 2 2' }],
  },
  {
    change: `UPDATE reservations SET charged = B'1110' WHERE ref = 'reservation'`,
    findings: [{ account, what: charged, expected: '1 2 3', found: '1 2 4' }],
  },
  {
    change: `UPDATE reservations SET released = B'1' WHERE ref = 'reservation'`,
    findings: [
      { account, what: sums },
      { account, what: 'released items of reservation', expected: '1', found: '' },
      { account, what: 'items of reservation', found: 'charged 1 2 4, released 1, refunded 2' },
      { account, what: expect.stringMatching(/^credits used by key/) },
    ],
  },
  {
    change: `UPDATE reservations SET refunded = B'001' WHERE ref = 'reservation'`,
    findings: [
      { account, what: 'refunded items of reservation', expected: '3', found: '2' },
      { account, what: 'items of reservation', found: 'charged 1 2 4, released , refunded 3' },
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
    change: `UPDATE reservations SET held_free = 1, held_purchased = 1 WHERE ref = 'reservation'`,
    findings: [
      {
        account,
        what: 'what is held under reservation',
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

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerDatabase } from '../test-support/ledger-database.ts';
import { account, type Corruption, corrupt, openSmallBooks } from '../test-support/small-books.ts';

const now = new Date('2027-01-20T10:00:00Z');

/** After the small history, entry 8 reserves a job of four parts, entries 9 and 10 charge three of them. */
let database: LedgerDatabase;
beforeEach(async () => {
  database = await openSmallBooks();
  const { reserveInParts, settleParts } = database.functions;
  await reserveInParts({ account_id: account, ref: 'job', unit: 2, parts: 4 }, now);
  await settleParts('job', [4, 1], now);
  await settleParts('job', [2], now);
});
afterEach(() => database.close());

const parts = 'charged parts of job';
const corruptions: Corruption[] = [
  {
    change: `UPDATE entries SET parts = '{1,2}' WHERE version = 9`,
    findings: [{ account, what: parts, expected: '1 2 4', found: '1 2 2' }],
  },
  {
    change: `UPDATE reservation_parts SET charged = B'1110'`,
    findings: [{ account, what: parts, expected: '1 2 3', found: '1 2 4' }],
  },
  {
    change: `UPDATE entries SET parts = NULL WHERE version = 10`,
    findings: [{ account, what: parts, expected: '1 2 4', found: '1 4' }],
  },
  {
    change: `UPDATE entries SET parts = '{2,3}' WHERE version = 10; UPDATE reservation_parts SET charged = B'1111'`,
    findings: [
      { account, what: 'entry 10', expected: 'a charge of 2 parts', found: 'settle of 2 credits' },
      { account, what: expect.stringMatching(/^entries of key/) },
    ],
  },
  {
    change: 'UPDATE reservation_parts SET credits_charged = 4',
    findings: [
      { account, what: 'reserved credits against open reservations', expected: '6', found: '4' },
      { account, what: 'entries of the reservation job' },
    ],
  },
  {
    change: `UPDATE reservations SET state = 'open' WHERE ref = 'job'`,
    findings: [{ account, what: 'parts of job', found: '8 credits, 6 charged, open' }],
  },
  {
    change: `DELETE FROM reservation_parts`,
    findings: [
      { account, what: 'reserved credits against open reservations' },
      { account, what: 'entries of the reservation job' },
      { account, what: parts, expected: 'none', found: '1 2 4' },
      { account, what: 'parts of job', expected: 'parts', found: 'none' },
    ],
  },
  {
    change: `INSERT INTO reservation_parts VALUES ('stray', 1, B'0')`,
    findings: [{ account: null, what: 'parts of stray', expected: 'a reservation', found: 'none' }],
  },
  {
    change: `DELETE FROM entry_kinds WHERE kind = 'release'`,
    findings: [{ account, what: 'kind of entry 6', expected: 'one that is listed', found: 'release' }],
  },
];

describe('the check of the books with a job', () => {
  it('finds nothing in books that are right', async () => {
    expect(await database.findings()).toEqual([]);
  });

  it.each(corruptions)('finds exactly what is wrong after: $change', async ({ change, findings }) => {
    await corrupt(database, change);
    const found = await database.findings();
    expect(found).toHaveLength(findings.length);
    expect(found).toMatchObject(findings);
  });
});

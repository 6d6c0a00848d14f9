import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  account,
  type Corruption,
  findingsAfter,
  type LedgerDatabase,
  openSmallBooks,
  stranger,
} from '../test-support/small-books.ts';

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openSmallBooks();
});
afterAll(() => database?.close());

const NO_KEY = '00000000-0000-0000-0000-000000000000';
const dayOf = (what: string) => `${what} of key ${NO_KEY} on 2027-01-20`;

const corruptions: Corruption[] = [
  {
    change: 'UPDATE accounts SET purchased = purchased + 1',
    findings: [{ account, what: 'purchased credits of the account', expected: '20', found: '21' }],
  },
  {
    change: 'UPDATE accounts SET free = -3',
    findings: [
      { account, what: 'free credits of the account', expected: '3', found: '-3' },
      {
        account,
        what: 'an account with a negative bucket',
        found: '-3 free, 20 purchased, 2 reserved, 0 owed',
      },
    ],
  },
  {
    change: 'UPDATE accounts SET debt = 4',
    findings: [
      { account, what: 'debt of the account', expected: '0', found: '4' },
      { account, what: 'purchased credits beside debt', expected: '0', found: '20' },
    ],
  },
  {
    change: 'UPDATE accounts SET version = 9',
    findings: [{ account, what: 'version of the account', expected: '7', found: '9' }],
  },
  {
    change: `UPDATE accounts SET free_month = '2027-02'`,
    findings: [{ account, what: 'month of the free credits', expected: '2027-01', found: '2027-02' }],
  },
  {
    change: 'UPDATE entries SET version = 8 WHERE version = 7',
    findings: [
      { account, what: 'version of the account', expected: '8', found: '7' },
      { account, what: 'version after 6', expected: '7', found: '8' },
    ],
  },
  {
    change: 'UPDATE entries SET free_after = 6 WHERE version = 3',
    findings: [
      { account, what: 'balance after entry 3', expected: '5/20/95', found: '6/20/95' },
      { account, what: 'seal of entry 3' },
    ],
  },
  {
    change: 'UPDATE entries SET free_after = -5 WHERE version = 3',
    findings: [
      { account, what: 'balance after entry 3', expected: '5/20/95', found: '-5/20/95' },
      { account, what: 'entry 3 leaves a negative bucket', found: '-5/20/95' },
      { account, what: 'seal of entry 3' },
    ],
  },
  {
    change: 'UPDATE entries SET reserved_delta = -94 WHERE version = 4',
    findings: [
      { account, what: 'reserved credits of the account', expected: '3', found: '2' },
      { account, what: 'balance after entry 4', expected: '5/20/1', found: '5/20/0' },
      { account, what: 'balance after entry 5' },
      { account, what: 'balance after entry 6' },
      { account, what: 'balance after entry 7' },
      {
        account,
        what: 'entries of the reservation settled',
        expected: '95 held, 95 charged, 0 released, 0 charged without, 0 refunded',
        found: '95 held, 94 charged, 0 released, 0 charged without, 0 refunded',
      },
      { account, what: 'what is held under settled' },
      { account, what: 'entry 4', found: 'settle of 94 credits, job ' },
      {
        account,
        what: dayOf('entries'),
        expected: '3 reserved, 1 settled (0 of jobs, 0 searches), 1 released, 1 lines, 94 credits charged',
      },
      { account, what: 'seal of entry 4' },
    ],
  },
  {
    change: `INSERT INTO entries VALUES ('${stranger}', 1, 'grant', 'gift', 0, 5, 0, 0, 5, 0, NULL, NULL, NULL, now(), NULL, 1)`,
    findings: [{ account: stranger, what: 'entries without an account', expected: '0', found: '1' }],
  },
  {
    change: `INSERT INTO entries VALUES
      ('${account}', 8, 'monthly_grant', '2026-12', 97, 0, 0, 100, 20, 2, NULL, NULL, NULL, '2027-01-20', NULL, 4, NULL, NULL, NULL, '2027-01-01');
      UPDATE accounts SET free = 100, version = 8, lines = 4`,
    findings: [{ account, what: 'month of entry 8', expected: 'later than 2027-01', found: '2026-12' }],
  },
  {
    change: `INSERT INTO entries VALUES
      ('${account}', 8, 'grant', 'gift', 5, 0, 0, 8, 20, 2, NULL, NULL, NULL, '2027-01-20', NULL, 4, NULL, NULL, NULL, '2027-01-01');
      UPDATE accounts SET free = 8, version = 8, lines = 4`,
    findings: [{ account, what: 'entry 8', expected: 'the shape of a grant', found: '5/0/0, then 8 free' }],
  },
  {
    change: 'UPDATE entries SET line = 9 WHERE version = 4',
    findings: [
      { account, what: 'line of entry 4', expected: '3', found: '9' },
      { account, what: 'lines of the account', expected: '9', found: '3' },
    ],
  },
  {
    change: `UPDATE entries SET created_at = created_at + interval '1 month' WHERE version = 2`,
    findings: [
      { account, what: 'period of entry 2', expected: 'not before 2027-02-01', found: '2027-01-01' },
      { account, what: 'seal of entry 2' },
    ],
  },
  {
    change: `UPDATE entries SET period = '-infinity' WHERE version = 6`,
    findings: [{ account, what: 'period of entry 6', expected: 'not before 2027-01-01', found: '-infinity' }],
  },
  {
    change: `INSERT INTO account_months VALUES ('${account}', '2027-02-01', 2)`,
    findings: [
      { account, what: 'lines before 2027-02-01', expected: '3', found: '2' },
      { account, what: 'lines of 2027-01-01', expected: 'at most 2', found: '3' },
    ],
  },
];

describe('the check of balances and entries', () => {
  it.each(corruptions)('finds exactly the differences after: $change', async ({ change, findings }) => {
    const found = await findingsAfter(database, change);
    expect(found).toHaveLength(findings.length);
    expect(found).toMatchObject(findings);
  });
});

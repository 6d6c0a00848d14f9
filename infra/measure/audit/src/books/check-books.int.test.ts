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
const credits = `credits used by key ${NO_KEY} on 2027-01-20`;

const corruptions: Corruption[] = [
  {
    change: `UPDATE reservations SET charged = B'1', released = '' WHERE ref = 'released'`,
    findings: [
      {
        account,
        what: 'entries of the reservation released',
        expected: '15 held, 15 charged, 0 released, 0 charged without, 0 refunded',
      },
      { account, what: 'charged items of released', expected: '1', found: '' },
      { account, what: 'released items of released', expected: '', found: '1' },
      { account, what: credits, expected: '112', found: '97' },
    ],
  },
  {
    change: `UPDATE reservations SET free_month = '2026-12' WHERE ref = 'released'`,
    findings: [
      {
        account,
        what: 'release 6 of released',
        expected: '0 free, 10 purchased',
        found: '5 free, 10 purchased',
      },
    ],
  },
  {
    change: `DELETE FROM reservations WHERE ref = 'open'`,
    findings: [
      { account, what: 'reserved credits against open reservations', expected: '0', found: '2' },
      { account, what: 'entries of the reservation open', expected: 'none' },
      { account, what: credits, expected: '95', found: '97' },
    ],
  },
  {
    change: `INSERT INTO reservations VALUES ('lost', '${stranger}', 1, B'1', '', '', '', 1, 0, '2027-01', NULL, NULL, '2027-01-20')`,
    findings: [
      {
        account: stranger,
        what: 'entries of the reservation lost',
        expected: '1 held, 0 charged, 0 released, 0 charged without, 0 refunded',
        found: 'none',
      },
      { account: stranger, what: 'account of the reservation lost', expected: 'an account', found: 'none' },
      { account: stranger, what: credits, expected: '1', found: '0' },
    ],
  },
  {
    change: 'UPDATE key_days SET lines = 7',
    findings: [
      {
        account,
        what: dayOf('entries'),
        found: '3 reserved, 1 settled (0 of jobs, 0 searches), 1 released, 7 lines, 95 credits charged',
      },
    ],
  },
  {
    // All other facts about this entry are right: only the seal reveals the change.
    change: `UPDATE entries SET request_id = 'forged' WHERE version = 2; SELECT seal_entries(100)`,
    findings: [{ account, what: 'seal of entry 2' }],
  },
  {
    change: `UPDATE entries SET subject = '{"video_id": "forged"}' WHERE version = 4`,
    findings: [{ account, what: 'seal of entry 4' }],
  },
  {
    change: 'DELETE FROM entry_seals WHERE version = 1',
    findings: [
      { account, what: 'entry 1', expected: 'sealed', found: 'not sealed' },
      { account, what: 'seals up to entry 4', expected: '4', found: '3' },
    ],
  },
  {
    change: `DELETE FROM entries WHERE version = 7; DELETE FROM reservations WHERE ref = 'open';
      UPDATE accounts SET version = 6, free = 5, reserved = 0; UPDATE key_days SET reserved = 2, credits_used = 95;
      INSERT INTO entry_seals SELECT '${account}', n, 'x', now(), '2027-01-01' FROM generate_series(5, 7) AS n;
      UPDATE seal_heads SET version = 7, hash = 'x'`,
    findings: [
      { account, what: 'seal of entry 5' },
      { account, what: 'sealed entry 7', expected: 'an entry', found: 'none' },
    ],
  },
  {
    change: 'UPDATE key_days SET credits_charged = 94',
    findings: [
      {
        account,
        what: dayOf('entries'),
        found: '3 reserved, 1 settled (0 of jobs, 0 searches), 1 released, 1 lines, 94 credits charged',
      },
    ],
  },
  {
    change: 'UPDATE key_days SET released = 0',
    findings: [
      {
        account,
        what: dayOf('entries'),
        found: '3 reserved, 1 settled (0 of jobs, 0 searches), 0 released, 1 lines, 95 credits charged',
      },
    ],
  },
  {
    change: 'UPDATE key_days SET credits_used = 0',
    findings: [{ account, what: credits, expected: '97', found: '0' }],
  },
  {
    change: 'DELETE FROM key_days',
    findings: [
      { account, what: dayOf('entries'), found: 'none' },
      { account, what: credits, expected: '97', found: '0' },
    ],
  },
  {
    change: `INSERT INTO key_days VALUES ('${stranger}', '2027-01-20', '${NO_KEY}', 0, 0, 1, 0, 0)`,
    findings: [{ account: stranger, what: dayOf('entries'), expected: 'none' }],
  },
  {
    change: `INSERT INTO usage_days VALUES ('${stranger}', '2027-01-20', '${NO_KEY}', 7, 5, 3)`,
    findings: [{ account: stranger, what: dayOf('requests'), found: '7' }],
  },
];

describe('the check of the books', () => {
  it('finds nothing in right books', async () => {
    expect(await database.findings()).toEqual([]);
  });

  it.each(corruptions)('finds exactly the differences after: $change', async ({ change, findings }) => {
    const found = await findingsAfter(database, change);
    expect(found).toHaveLength(findings.length);
    expect(found).toMatchObject(findings);
  });
});

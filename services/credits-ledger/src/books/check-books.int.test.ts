import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { type LedgerDatabase, openLedgerDatabase } from '../test-support/ledger-database.ts';

const now = new Date('2027-01-20T10:00:00Z');
const account = randomUUID();
const stranger = randomUUID();

/** A small history: entries 1 month, 2 grant, 3 reserve, 4 settle, 5 reserve, 6 release, 7 reserve. */
let database: LedgerDatabase;
beforeEach(async () => {
  database = await openLedgerDatabase();
  const { grant, reserve, settle, release } = database.functions;
  await grant(account, 'purchase:1', 20, now);
  await reserve([{ account_id: account, ref: 'settled', amount: 95 }], now);
  await settle(['settled'], now);
  // Transactions of other databases of this server are waited for.
  await eventually(async () => {
    await database.app.query('SELECT seal_entries(100)');
    expect((await database.admin.query('SELECT FROM entry_seals')).rows).toHaveLength(4);
  });
  await reserve([{ account_id: account, ref: 'released', amount: 15 }], now);
  await release(['released', 'buried'], now);
  await reserve([{ account_id: account, ref: 'open', amount: 2 }], now);
});
afterEach(() => database.close());

/** As the administrator, who alone is able to. */
const corrupt = async (change: string) => {
  const guards = [
    'accounts_check',
    'accounts_free_check',
    'accounts_purchased_check',
    'entries_free_after_check',
  ];
  const dropping = guards.map(
    (name) =>
      `ALTER TABLE ${name.startsWith('entries') ? 'entries' : 'accounts'} DROP CONSTRAINT IF EXISTS ${name};`,
  );
  await database.admin.query(
    `ALTER TABLE entries DISABLE TRIGGER entries_are_append_only;
     ALTER TABLE entry_seals DISABLE TRIGGER entry_seals_are_append_only; ${dropping.join(' ')} ${change}`,
  );
};

const NOBODY = '00000000-0000-0000-0000-000000000000';
const dayOf = (what: string) => `${what} of key ${NOBODY} on 2027-01-20`;
const credits = `credits used by key ${NOBODY} on 2027-01-20`;

const corruptions: { change: string; findings: object[] }[] = [
  {
    change: 'UPDATE accounts SET purchased = purchased + 1',
    findings: [{ account, what: 'purchased credits of the account', expected: '20', found: '21' }],
  },
  {
    change: 'UPDATE accounts SET free = -3',
    findings: [
      { account, what: 'free credits of the account', expected: '3', found: '-3' },
      { account, what: 'an account with a negative bucket', found: '-3 free, 20 purchased, 2 reserved' },
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
        expected: 'reserve -95/0/95, settle 0/0/-95',
        found: 'reserve -95/0/95, settle 0/0/-94',
      },
      {
        account,
        what: dayOf('entries'),
        expected: '3 reserved, 1 settled, 1 released, 1 lines, 94 credits charged',
      },
      { account, what: 'seal of entry 4' },
    ],
  },
  {
    change: `UPDATE reservations SET state = 'settled' WHERE ref = 'released'`,
    findings: [
      { account, what: 'entries of the reservation released', expected: 'reserve -5/-10/15, settle 0/0/-15' },
      { account, what: credits, expected: '112', found: '97' },
    ],
  },
  {
    change: `UPDATE reservations SET resolved_at = resolved_at + interval '1 month' WHERE ref = 'released'`,
    findings: [
      { account, what: 'entries of the reservation released', found: 'reserve -5/-10/15, release 5/10/-15' },
    ],
  },
  {
    change: `DELETE FROM reservations WHERE ref = 'open'`,
    findings: [
      { account, what: 'reserved credits against open reservations', expected: '0', found: '2' },
      { account, what: 'entry 7 (reserve open)', expected: 'a reservation of this account', found: 'none' },
      { account, what: credits, expected: '95', found: '97' },
    ],
  },
  {
    change: `INSERT INTO entries VALUES ('${stranger}', 1, 'grant', 'gift', 0, 5, 0, 0, 5, 0, NULL, NULL, NULL, now(), NULL, 1)`,
    findings: [{ account: stranger, what: 'entries without an account', expected: '0', found: '1' }],
  },
  {
    change: `INSERT INTO reservations VALUES ('lost', '${stranger}', 1, 1, 0, '2027-01', 'open', NULL, '2027-01-20', NULL)`,
    findings: [
      {
        account: stranger,
        what: 'entries of the reservation lost',
        expected: 'reserve -1/0/1',
        found: 'none',
      },
      { account: stranger, what: 'account of the reservation lost', expected: 'an account', found: 'none' },
      { account: stranger, what: credits, expected: '1', found: '0' },
    ],
  },
  {
    change: `INSERT INTO entries VALUES
      ('${account}', 8, 'monthly_grant', '2026-12', 97, 0, 0, 100, 20, 2, NULL, NULL, NULL, now(), NULL, 4);
      UPDATE accounts SET free = 100, version = 8, lines = 4`,
    findings: [{ account, what: 'month of entry 8', expected: 'later than 2027-01', found: '2026-12' }],
  },
  {
    change: `INSERT INTO entries VALUES
      ('${account}', 8, 'grant', 'gift', 5, 0, 0, 8, 20, 2, NULL, NULL, NULL, now(), NULL, 4);
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
    change: 'UPDATE key_days SET lines = 7',
    findings: [
      {
        account,
        what: dayOf('entries'),
        found: '3 reserved, 1 settled, 1 released, 7 lines, 95 credits charged',
      },
    ],
  },
  {
    // What else the entries say about this one is right: only the seal knows.
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
      INSERT INTO entry_seals VALUES ('${account}', 5, 'x', now()), ('${account}', 6, 'x', now()), ('${account}', 7, 'x', now())`,
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
        found: '3 reserved, 1 settled, 1 released, 1 lines, 94 credits charged',
      },
    ],
  },
  {
    change: 'UPDATE key_days SET released = 0',
    findings: [
      {
        account,
        what: dayOf('entries'),
        found: '3 reserved, 1 settled, 0 released, 1 lines, 95 credits charged',
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
    change: `INSERT INTO key_days VALUES ('${stranger}', '2027-01-20', '${NOBODY}', 0, 0, 1, 0, 0)`,
    findings: [{ account: stranger, what: dayOf('entries'), expected: 'none' }],
  },
  {
    change: `INSERT INTO usage_days VALUES ('${stranger}', '2027-01-20', '${NOBODY}', 7, 5, 3)`,
    findings: [{ account: stranger, what: dayOf('requests'), found: '7' }],
  },
];

describe('the check of the books', () => {
  it('finds nothing in books that are right', async () => {
    expect(await database.findings()).toEqual([]);
  });

  it.each(corruptions)('finds exactly what is wrong after: $change', async ({ change, findings }) => {
    await corrupt(change);
    const found = await database.findings();
    expect(found).toHaveLength(findings.length);
    expect(found).toMatchObject(findings);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creditsLedger } from '@tds/contracts';
import { type LedgerDatabase, openLedgerDatabase } from '../test-support/ledger-database.ts';

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase();
  await database.functions.balance(randomUUID());
});
afterAll(() => database.close());

const changes = [
  'UPDATE entries SET free_delta = 1',
  'DELETE FROM entries',
  'DELETE FROM entries WHERE false',
  'TRUNCATE entries',
  'MERGE INTO entries AS e USING accounts AS a ON e.account_id = a.account_id WHEN MATCHED THEN UPDATE SET free_delta = 1',
];

describe('a written entry', () => {
  it.each(changes)('cannot be changed by the service: %s', async (change) => {
    await expect(database.app.query(change)).rejects.toMatchObject({ code: '42501' });
  });

  it.each(changes)('cannot be changed by the owner of the table: %s', async (change) => {
    await expect(database.owner.query(change)).rejects.toMatchObject({ code: '23001' });
  });

  it.each(changes)('cannot be changed by the administrator, even without triggers: %s', async (change) => {
    const client = await database.admin.connect();
    try {
      await client.query('SET session_replication_role = replica');
      await expect(client.query(change)).rejects.toMatchObject({ code: '23001' });
    } finally {
      client.release(true);
    }
  });

  it.each(['months.entries_2027_01', 'months.entry_seals_2027_01', 'months.entries_before'])(
    'cannot be changed in its month: %s',
    async (month) => {
      for (const change of [`DELETE FROM ${month}`, `TRUNCATE ${month}`])
        await expect(database.owner.query(change)).rejects.toMatchObject({ code: '23001' });
    },
  );

  it('keeps its account and reservation: the service deletes neither', async () => {
    for (const table of ['accounts', 'reservations']) {
      await expect(database.app.query(`DELETE FROM ${table}`)).rejects.toMatchObject({ code: '42501' });
      await expect(database.app.query(`TRUNCATE ${table}`)).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('is not written by the service directly, nor is any other money', async () => {
    const account = randomUUID();
    const ways = [
      `INSERT INTO entries VALUES ('${account}', 1, 'grant', 'gift', 0, 5, 0, 0, 5, 0, NULL, NULL, NULL, now(), NULL, 1)`,
      `INSERT INTO accounts (account_id, purchased, created_at) VALUES ('${account}', 5, now())`,
      'UPDATE accounts SET purchased = purchased + 5',
      `INSERT INTO reservations VALUES ('r', '${account}', 1, B'1', '', '', '', 1, 0, '2027-01', NULL, NULL, now())`,
      `UPDATE reservations SET released = B'1', resolved_at = now()`,
      'UPDATE key_days SET credits_used = 0',
      `INSERT INTO key_limits VALUES ('${account}', '${account}', '${account}')`,
      `INSERT INTO entry_seals VALUES ('${account}', 1, 'x', now(), '2027-01-01')`,
      `INSERT INTO seal_heads VALUES ('${account}', 1, '2027-01-01', 'x', 0, 5, 0)`,
      `INSERT INTO account_months VALUES ('${account}', '2027-01-01', 0)`,
      `INSERT INTO months.entries_2027_01 SELECT * FROM entries`,
      `UPDATE months.reservations_2027_01 SET unit = 0`,
      `DELETE FROM months.entry_seals_2027_01`,
      'UPDATE sealing SET next_written_in = 0',
      `UPDATE key_owners SET account_id = '${account}'`,
      `INSERT INTO entry_kinds VALUES ('gift', 'a gift')`,
    ];
    for (const way of ways) await expect(database.app.query(way)).rejects.toMatchObject({ code: '42501' });
  });

  it('is not written by helper functions, which run with the rights of the caller', async () => {
    const append = `SELECT append_entry(a, 'grant', 'gift', 0, 5, 0, NULL, NULL, NULL, now()) FROM accounts AS a`;
    await expect(database.app.query(append)).rejects.toMatchObject({ code: '42501' });
    const resolve = `SELECT save_account(a) FROM accounts AS a`;
    await expect(database.app.query(resolve)).rejects.toMatchObject({ code: '42501' });
  });

  it('is written by functions that read their own tables, whatever search path the caller sets', async () => {
    const client = await database.app.connect();
    try {
      await client.query('SET search_path = messaging');
      const { rows } = await client.query('SELECT outcome, free FROM public.get_balance($1)', [randomUUID()]);
      expect(rows).toEqual([{ outcome: 'balance', free: 100 }]);
      await expect(client.query('CREATE TEMP TABLE accounts (free integer)')).rejects.toMatchObject({
        code: '42501',
      });
    } finally {
      client.release(true);
    }
  });

  it('cannot be dropped or unprotected by the service', async () => {
    const ways = [
      'DROP TABLE entries',
      'ALTER TABLE entries DISABLE TRIGGER ALL',
      'DROP FUNCTION refuse_change',
    ];
    for (const way of ways) await expect(database.app.query(way)).rejects.toMatchObject({ code: '42501' });
  });
});

const listMessages = async (account: string) => {
  const { rows } = await database.admin.query(
    `SELECT subject, payload FROM messaging.outbox WHERE payload ->> 'accountId' = $1 ORDER BY seq`,
    [account],
  );
  return rows;
};

describe('credits-granted', () => {
  it('is emitted once for each month and each purchase, as the contract defines', async () => {
    const account = randomUUID();
    const [january, february] = [new Date('2027-01-05T00:00:00Z'), new Date('2027-02-05T00:00:00Z')];
    const { functions } = database;
    for (const _ of [1, 2]) {
      await functions.reserve([{ account_id: account, ref: `job:${account}`, unit: 30 }], january);
      await functions.grant(account, 'purchase:1', 50, january);
      await functions.balance(account, february);
    }
    const messages = await listMessages(account);
    expect(messages.map(({ subject }) => subject)).toEqual(Array(3).fill(creditsLedger.creditsGranted.subject));
    expect(messages.map(({ payload }) => creditsLedger.creditsGranted.payload.parse(payload))).toEqual([
      { accountId: account, bucket: 'free', amount: 100, ref: '2027-01' },
      { accountId: account, bucket: 'purchased', amount: 50, ref: 'purchase:1' },
      { accountId: account, bucket: 'free', amount: 30, ref: '2027-02' },
    ]);
  });

  it('is not emitted if the month brought nothing', async () => {
    const account = randomUUID();
    const { functions } = database;
    await functions.balance(account, new Date('2027-01-05T00:00:00Z'));
    await functions.balance(account, new Date('2027-02-05T00:00:00Z'));
    expect(await listMessages(account)).toHaveLength(1);
  });
});

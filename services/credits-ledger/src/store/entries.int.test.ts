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
  'INSERT INTO entries SELECT * FROM entries ON CONFLICT (account_id, version) DO UPDATE SET free_delta = 1',
];

describe('an entry, once written', () => {
  it.each(changes)('is safe from the service: %s', async (change) => {
    await expect(database.app.query(change)).rejects.toMatchObject({ code: '42501' });
  });

  it.each(changes)('is safe from the owner of the table: %s', async (change) => {
    await expect(database.owner.query(change)).rejects.toMatchObject({ code: '23001' });
  });

  it.each(changes)('is safe from the administrator, also without triggers: %s', async (change) => {
    const client = await database.admin.connect();
    try {
      await client.query('SET session_replication_role = replica');
      await expect(client.query(change)).rejects.toMatchObject({ code: '23001' });
    } finally {
      client.release(true);
    }
  });

  it('stays with its account and reservation: the service removes neither', async () => {
    for (const table of ['accounts', 'reservations']) {
      await expect(database.app.query(`DELETE FROM ${table}`)).rejects.toMatchObject({ code: '42501' });
      await expect(database.app.query(`TRUNCATE ${table}`)).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('cannot be taken out of reach by the service', async () => {
    const ways = [
      'DROP TABLE entries',
      'ALTER TABLE entries DISABLE TRIGGER ALL',
      'DROP FUNCTION refuse_change',
    ];
    for (const way of ways) await expect(database.app.query(way)).rejects.toMatchObject({ code: '42501' });
  });
});

const messagesOf = async (account: string) => {
  const { rows } = await database.admin.query(
    `SELECT subject, payload FROM messaging.outbox WHERE payload ->> 'accountId' = $1 ORDER BY seq`,
    [account],
  );
  return rows;
};

describe('credits-granted', () => {
  it('is announced once for each month and each purchase, in the form of the contract', async () => {
    const account = randomUUID();
    const [january, february] = [new Date('2027-01-05T00:00:00Z'), new Date('2027-02-05T00:00:00Z')];
    const { functions } = database;
    for (const _ of [1, 2]) {
      await functions.reserve([{ account_id: account, ref: `job:${account}`, amount: 30 }], january);
      await functions.grant(account, 'purchase:1', 50, january);
      await functions.balance(account, february);
    }
    const messages = await messagesOf(account);
    expect(messages.map(({ subject }) => subject)).toEqual(
      Array(3).fill(creditsLedger.creditsGranted.subject),
    );
    expect(messages.map(({ payload }) => creditsLedger.creditsGranted.payload.parse(payload))).toEqual([
      { accountId: account, bucket: 'free', amount: 100, ref: '2027-01' },
      { accountId: account, bucket: 'purchased', amount: 50, ref: 'purchase:1' },
      { accountId: account, bucket: 'free', amount: 30, ref: '2027-02' },
    ]);
  });

  it('is not announced if the month brought nothing', async () => {
    const account = randomUUID();
    const { functions } = database;
    await functions.balance(account, new Date('2027-01-05T00:00:00Z'));
    await functions.balance(account, new Date('2027-02-05T00:00:00Z'));
    expect(await messagesOf(account)).toHaveLength(1);
  });
});

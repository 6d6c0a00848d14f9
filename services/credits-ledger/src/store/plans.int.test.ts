import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import type { PoolClient } from 'pg';
import { type LedgerDatabase, type Operation, openLedgerDatabase } from '../test-support/ledger-database.ts';

jest.setTimeout(60_000); // real servers on a machine that may be busy

const ROWS = 2_000;

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase();
});
afterAll(() => database.close());

/** Every kind of operation, and every way that one can end which takes statements of its own. */
const applyAll = async (client: PoolClient): Promise<void> => {
  const call = (operations: readonly Operation[]) =>
    client.query('SELECT apply_operations($1)', [JSON.stringify(operations)]);
  const [account_id, key_id] = [randomUUID(), randomUUID()];
  const [kept, given] = [randomUUID(), randomUUID()];
  const reserve = (ref: string, amount = 1): Operation => ({
    kind: 'reserve',
    ...{ account_id, key_id, ref, amount, daily_cap: 5 },
  });
  await call([reserve(kept), reserve(given)]);
  await call([reserve(kept), reserve(randomUUID(), 6), { kind: 'release', ref: randomUUID() }]);
  await call([
    { kind: 'settle', ref: kept },
    { kind: 'release', ref: given },
  ]);
};

const readByThisTransaction = `
  SELECT relname, seq_tup_read::integer AS scanned, idx_tup_fetch::integer AS fetched
  FROM pg_stat_xact_user_tables WHERE relname IN ('accounts', 'entries', 'key_days', 'reservations') ORDER BY 1`;

it('an operation reads its own rows only, also where it was planned while the tables were empty', async () => {
  const client = await database.app.connect();
  try {
    await applyAll(client);
    const many = `FROM generate_series(1, ${ROWS})`;
    for (const sql of [
      `INSERT INTO accounts (account_id, created_at) SELECT gen_random_uuid(), now() ${many}`,
      `INSERT INTO reservations
       SELECT gen_random_uuid(), gen_random_uuid(), 1, 1, 0, '2027-01', 'open', NULL, now(), NULL ${many}`,
      `INSERT INTO key_days (account_id, day, key_id)
       SELECT gen_random_uuid(), (now() AT TIME ZONE 'UTC')::date, gen_random_uuid() ${many}`,
    ]) {
      await database.owner.query(sql);
    }
    await client.query('BEGIN');
    await applyAll(client);
    const { rows } = await client.query(readByThisTransaction);
    expect(rows.map(({ relname }) => relname)).toEqual(['accounts', 'entries', 'key_days', 'reservations']);
    for (const { scanned, fetched } of rows) {
      expect(scanned).toBe(0);
      expect(fetched).toBeLessThan(100);
    }
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import type { PoolClient } from 'pg';
import {
  buildStatement,
  type LedgerDatabase,
  type Operation,
  openLedgerDatabase,
} from '../test-support/ledger-database.ts';

const ROWS = 2_000;

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase();
});
afterAll(() => database.close());

/** Every kind of operation, and every outcome that needs statements of its own. */
const applyAll = async (client: PoolClient): Promise<void> => {
  const call = async (operations: readonly Operation[]) => {
    for (const operation of operations) await client.query(buildStatement(operation));
  };
  const [account_id, key_id] = [randomUUID(), randomUUID()];
  const [kept, given] = [newId(), randomUUID()];
  const reserve = (ref: string, unit = 1): Operation => ({
    kind: 'reserve',
    ...{ account_id, key_id, ref, unit, daily_cap: 5 },
  });
  // Another function that shares statements: it must plan them alike.
  for (let time = 0; time < 6; time += 1) await client.query('SELECT get_balance($1)', [randomUUID()]);
  await call([reserve(kept), reserve(given)]);
  await call([reserve(kept), reserve(newId(), 6), { kind: 'release', ref: newId() }]);
  await call([
    { kind: 'settle', ref: kept },
    { kind: 'release', ref: given },
  ]);
};

const readByThisTransaction = `
  SELECT split_part(relname, '_2', 1) AS name, sum(seq_tup_read)::integer AS scanned,
         coalesce(sum(idx_tup_fetch), 0)::integer AS fetched
  FROM pg_stat_xact_user_tables GROUP BY 1`;
/** Tables, their months, and the partition before all months. */
const tables = ['accounts', 'entries', 'entries_before', 'key_days', 'reservations', 'reservations_before'];
const expectFewReads = async (client: PoolClient, names: readonly string[], most: number) => {
  const { rows } = await client.query<{ name: string; scanned: number; fetched: number }>(
    readByThisTransaction,
  );
  const read = rows.filter(({ name }) => names.includes(name));
  expect(read.map(({ name }) => name).toSorted()).toEqual(names);
  for (const { scanned, fetched } of read) {
    expect(scanned).toBe(0);
    expect(fetched).toBeLessThan(most);
  }
};

/** Open reservations, without their month. */
const HELD = `
  SELECT ref, gen_random_uuid(), 1, B'1', B'', B'', B'', 1, 0, '2027-01', NULL, NULL::uuid, now(), NULL::timestamptz, NULL, NULL,
         NULL::jsonb, NULL::uuid`;

it('an operation reads only its own rows, even if it was planned while the tables were empty', async () => {
  const client = await database.app.connect();
  try {
    await applyAll(client);
    const many = `FROM generate_series(1, ${ROWS})`;
    for (const sql of [
      `INSERT INTO accounts (account_id, created_at) SELECT gen_random_uuid(), now() ${many}`,
      `INSERT INTO reservations ${HELD.replace('ref', 'gen_random_uuid()')}, '-infinity' ${many}`,
      `INSERT INTO reservations SELECT *, month_of_ref(ref) FROM (${HELD.replace('ref', 'uuidv7()::text AS ref')} ${many}) AS r`,
      `INSERT INTO key_days (account_id, day, key_id)
       SELECT gen_random_uuid(), (now() AT TIME ZONE 'UTC')::date, gen_random_uuid() ${many}`,
    ]) {
      await database.owner.query(sql);
    }
    await client.query('BEGIN');
    await applyAll(client);
    await expectFewReads(client, tables, 100);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

const [IDLE, AT_ONCE] = [50_000, 10_000];
/** Idle accounts, whose entries count as sealed. */
const OPEN_IDLE = `
  WITH idle AS (
    INSERT INTO accounts (account_id, free, free_month, version, lines, created_at)
    SELECT gen_random_uuid(), 100, '2027-01', 1, 1, now() FROM generate_series(1, ${AT_ONCE}) RETURNING account_id
  )
  INSERT INTO entries
  SELECT account_id, 1, 'monthly_grant', '2027-01', 100, 0, 0, 100, 0, 0, NULL, NULL, NULL, now(), NULL, 1, NULL FROM idle`;

it('sealing reads only new entries beside any number of idle accounts', async () => {
  const client = await database.app.connect();
  try {
    // Planned while the tables are small.
    await client.query('SELECT seal_entries(10)');
    for (let opened = 0; opened < IDLE; opened += AT_ONCE) await database.owner.query(OPEN_IDLE);
    const account_id = randomUUID();
    await database.functions.reserve([{ account_id, ref: randomUUID(), unit: 1 }]);
    await client.query('BEGIN');
    // Waits for transactions of other databases of this server.
    await eventually(async () => {
      const sealed = 'SELECT FROM entry_seals WHERE account_id = $1';
      await client.query('SELECT seal_entries(1000)');
      expect((await client.query(sealed, [account_id])).rows).toHaveLength(2);
    });
    await expectFewReads(client, ['accounts', 'entries', 'entries_before'], 5_000);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

it('a page of a person with many keys reads no lines of others, and few of theirs', async () => {
  const client = await database.app.connect();
  try {
    const account_id = randomUUID();
    const keys = Array.from({ length: 400 }, () => randomUUID());
    const page = () => client.query('SELECT * FROM lines_page($1, $2, NULL, 5, 0, NULL)', [account_id, keys]);
    // Planned while the tables are small.
    await page();
    const items = (key_ids: readonly string[]) =>
      key_ids.map((key_id) => ({ account_id, key_id, ref: newId(), unit: 1 }));
    const charge = async (key_ids: readonly string[]) => {
      const reserved = items(key_ids);
      await database.functions.reserve(reserved);
      await database.functions.settle(reserved.map(({ ref }) => ref));
    };
    await database.functions.grant(account_id, 'purchase', ROWS, new Date());
    await charge(Array.from({ length: ROWS / 2 }, randomUUID));
    await charge(keys.slice(0, 3).flatMap((key) => Array<string>(20).fill(key)));
    await client.query('BEGIN');
    const { rows } = await page();
    expect(rows).toHaveLength(5);
    expect(rows[0]).toMatchObject({ total: 60, key_id: keys[2] });
    const { rows: counts } = await client.query<{ name: string; fetched: number }>(readByThisTransaction);
    expect(counts.find(({ name }) => name === 'entries')?.fetched).toBeLessThan(100);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { applyMigrations } from './apply-migrations.ts';
import { migrate } from './migrate.ts';
import { prismaDirsOf, readMigrations } from './migration-list.ts';
import { patient } from './run-script.ts';
import { withClient } from './service-databases.ts';
import { openScratchDatabase, type ScratchDatabase } from './test-support/scratch-database.ts';
import { eventually } from './testing/index.ts';

/** The last release whose functions stood in its migrations: a database of it can be made without its files. */
const SINCE = '20261121';
const prismaDirs = prismaDirsOf('credits-ledger');

let database: ScratchDatabase;
beforeEach(async () => {
  database = await openScratchDatabase();
});
afterEach(() => database.close());

const outcomesOf = async (operations: readonly object[]): Promise<unknown[]> => {
  const text = `SELECT outcome FROM apply_operations('${JSON.stringify(operations)}') ORDER BY item`;
  return (await database.query(text)).map(({ outcome }) => outcome);
};
const balance = (account: string) =>
  database.query(`SELECT free, purchased, reserved, version::int AS version FROM get_balance('${account}')`);

it('a ledger of an older release goes on with its balances, refs, grants and keys', async () => {
  const older = readMigrations(prismaDirs).filter(({ name }) => name < SINCE);
  await withClient(database.ownerUrl, (client) => applyMigrations(client, database.ownerUrl, older, patient));
  const [account_id, key_id, stranger] = [randomUUID(), randomUUID(), randomUUID()];
  const refs = { open: randomUUID(), settled: randomUUID() };
  const reserve = { kind: 'reserve', account_id, key_id, amount: 3 };
  const grant = `SELECT outcome FROM grant_credits('${account_id}', 'purchase:1', 20, NULL, NULL)`;
  await database.query(grant);
  await outcomesOf(Object.values(refs).map((ref) => ({ ...reserve, ref })));
  await outcomesOf([{ kind: 'settle', ref: refs.settled }]);

  await migrate({ databaseUrl: database.ownerUrl, prismaDirs });
  expect(await balance(account_id)).toEqual([{ free: 94, purchased: 20, reserved: 3, version: 5 }]);
  expect(await database.query(grant)).toEqual([{ outcome: 'granted' }]);
  expect(await outcomesOf([{ ...reserve, ref: refs.settled }])).toEqual(['settled']);
  expect(await outcomesOf([{ ...reserve, account_id: stranger, ref: randomUUID() }])).toEqual(['conflict']);
  expect(await outcomesOf([{ kind: 'release', ref: refs.open }])).toEqual(['released']);
  expect(await balance(account_id)).toEqual([{ free: 97, purchased: 20, reserved: 0, version: 6 }]);
});

const NEXT_MONTH = `date_trunc('month', now()) + interval '32 days'`;

it('what a ledger of an older release has booked lies before its months, and is added up, shown and sealed with what follows', async () => {
  const older = readMigrations(prismaDirs).filter(({ name }) => name < SINCE);
  await withClient(database.ownerUrl, (client) => applyMigrations(client, database.ownerUrl, older, patient));
  const [account_id, ...refs] = Array.from({ length: 4 }, () => randomUUID());
  const settle = (ref: unknown) => ({ kind: 'settle', ref });
  await outcomesOf(refs.map((ref) => ({ kind: 'reserve', account_id, amount: 2, ref })));
  await outcomesOf([settle(refs[0])]);
  const seals = 'SELECT version, hash FROM entry_seals ORDER BY version';
  // Transactions of other databases of this server are waited for.
  await eventually(async () => {
    await database.query('SELECT seal_entries(1000)');
    expect(await database.query(seals)).toHaveLength(5);
  });
  await outcomesOf([settle(refs[1])]);
  const before = await database.query(seals);

  await migrate({ databaseUrl: database.ownerUrl, prismaDirs });
  await database.query(`SELECT apply_operations('${JSON.stringify([settle(refs[2])])}', ${NEXT_MONTH})`);
  expect(await outcomesOf(refs.map(settle))).toEqual(['settled', 'settled', 'settled']);
  const where = `SELECT tableoid::regclass::text LIKE '%before' AS old, count(*)::int AS count,
    sum(free_delta)::int AS free, sum(reserved_delta)::int AS held FROM entries GROUP BY 1 ORDER BY 1 DESC`;
  expect(await database.query(where)).toEqual([
    { old: true, count: 6, free: 94, held: 2 },
    { old: false, count: 2, free: 6, held: -2 },
  ]);
  const page = `SELECT line::int AS line, kind FROM ledger_page('${account_id}', NULL, 10, 0, NULL) ORDER BY 1`;
  expect(await database.query(page)).toEqual(
    ['monthly_grant', 'settle', 'settle', 'monthly_grant', 'settle'].map((kind, index) => ({
      line: index + 1,
      kind,
    })),
  );
  await eventually(async () => {
    await database.query('SELECT seal_entries(1000)');
    const sealed = `SELECT version::int AS version, free, reserved, off_at FROM seal_heads`;
    expect(await database.query(sealed)).toEqual([{ version: 8, free: 100, reserved: 0, off_at: null }]);
  });
  expect((await database.query(seals)).slice(0, before.length)).toEqual(before);
});

const SHAPE = `
  SELECT conrelid::regclass || ' ' || conname AS name, pg_get_constraintdef(oid) AS made FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT table_name || ' ' || column_name, data_type || coalesce(column_default, '') || is_nullable
  FROM information_schema.columns WHERE table_schema = 'public'
  ORDER BY 1`;

it('a ledger of an older release ends as a new one does, with every constraint validated', async () => {
  const older = readMigrations(prismaDirs).filter(({ name }) => name < SINCE);
  await withClient(database.ownerUrl, (client) => applyMigrations(client, database.ownerUrl, older, patient));
  const fresh = await openScratchDatabase();
  const shapes = [];
  for (const each of [database, fresh]) {
    await migrate({ databaseUrl: each.ownerUrl, prismaDirs });
    shapes.push(await each.query(SHAPE));
  }
  await fresh.close();
  expect(shapes[0]).toEqual(shapes[1]);
  expect(shapes[0]?.length).toBeGreaterThan(80);
  expect(shapes[0]?.filter(({ made }) => String(made).includes('NOT VALID'))).toEqual([]);
});

import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type AppliedFunctions, applyFunctions } from './apply-functions.ts';
import { readFunctions } from './function-list.ts';
import {
  assertSameTexts,
  isOfLaterRelease,
  type MigrationFolder,
  openRecords,
  readMigrations,
  readRecords,
  recordSql,
  restrictRecordsToOwner,
} from './migration-records.ts';
import { recordRelease, releaseOf } from './releases.ts';
import {
  defaultLockOptions,
  isConcurrent,
  type LockOptions,
  nameErrors,
  runConcurrently,
  runInTransaction,
} from './run-script.ts';
import { withClient } from './service-databases.ts';

/** A script and its record are one transaction; one that runs concurrently may be repeated, and is recorded after it. */
const apply = async (
  client: pg.Client,
  migration: MigrationFolder,
  lockOptions: LockOptions,
): Promise<void> => {
  const record = recordSql(migration);
  if (isConcurrent(migration.sql)) {
    await runConcurrently(client, migration.sql);
    await client.query(record);
  } else await runInTransaction(client, `${migration.sql}\n;${record}`, lockOptions);
};

/** Applies what the database lacks, and records it. */
const applyMigrations = async (
  client: pg.Client,
  migrations: readonly MigrationFolder[],
  records: Awaited<ReturnType<typeof readRecords>>,
  lockOptions: LockOptions,
): Promise<string[]> => {
  const applied = new Set(records.map(({ name }) => name));
  const missing = migrations.filter(({ name }) => !applied.has(name));
  if (missing.length > 0) await openRecords(client);
  await restrictRecordsToOwner(client);
  for (const migration of missing)
    await nameErrors(migration.name, () => apply(client, migration, lockOptions));
  return missing.map(({ name }) => name);
};

export interface MigrateOptions {
  /** Of the role that owns the database. */
  readonly databaseUrl: string;
  /** Folders of `migrations/<name>/migration.sql` and `functions/<name>.sql`, applied one after the other. */
  readonly prismaDirs: readonly string[];
  /** How long locks are waited for. */
  readonly lockOptions?: LockOptions;
}

export interface MigrationResult extends AppliedFunctions {
  /** The names of those that were missing. */
  readonly migrations: readonly string[];
}

/** The ledger takes the time out of a UUID of version 7: 17 answers null, and nothing could be charged. */
export const OLDEST_POSTGRES = 18;

const assertSupported = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ major: number }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS major`,
  );
  const major = rows[0]?.major ?? 0;
  if (major < OLDEST_POSTGRES)
    throw new Error(`Postgres ${major} is too old: the services need ${OLDEST_POSTGRES} or newer.`);
};

const lockNumber = 7_221_601; // any number, the same for all who migrate
const POLL_MS = 100;

/** Asks again and again: a statement that waits has a snapshot, which an index that is built concurrently would wait for. */
const acquireLock = async (client: pg.Client): Promise<void> => {
  const tryLock = async () =>
    (await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [lockNumber])).rows[0]
      ?.mine;
  while (!(await tryLock())) await delay(POLL_MS);
};

/**
 * Brings a database to what the folders say: the migrations that it lacks, then the functions that have changed. What a later release has made
 * stays. Those who migrate one database at the same time wait for each other.
 */
export const migrate = async ({
  databaseUrl,
  prismaDirs,
  lockOptions = defaultLockOptions,
}: MigrateOptions): Promise<MigrationResult> => {
  const migrations = readMigrations(prismaDirs);
  const functions = readFunctions(prismaDirs);
  return withClient(databaseUrl, async (client) => {
    await assertSupported(client);
    await acquireLock(client);
    const records = await readRecords(client);
    assertSameTexts(String(client.database), records, migrations);
    const applied = await applyMigrations(client, migrations, records, lockOptions);
    const isBehind = isOfLaterRelease(records, migrations);
    const result = await applyFunctions(client, functions, { ...lockOptions, isBehind });
    await recordRelease(client, releaseOf(prismaDirs));
    return { migrations: applied, ...result };
  });
};

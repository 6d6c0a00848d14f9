import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { type AppliedFunctions, applyFunctions } from './apply-functions.ts';
import { readFunctions } from './function-list.ts';
import {
  keepRecordsToOwner,
  type MigrationFolder,
  openRecords,
  readMigrations,
  readRecords,
  recordOf,
} from './migration-records.ts';
import { recordRelease, releaseOf } from './releases.ts';
import {
  isConcurrent,
  named,
  type Patience,
  patient,
  runConcurrently,
  runInTransaction,
} from './run-script.ts';
import { withClient } from './service-databases.ts';

/** A script and its record are one transaction; one that runs concurrently may be repeated, and is recorded after it. */
const apply = async (client: pg.Client, migration: MigrationFolder, patience: Patience): Promise<void> => {
  const record = recordOf(migration);
  if (isConcurrent(migration.sql)) {
    await runConcurrently(client, migration.sql);
    await client.query(record);
  } else await runInTransaction(client, `${migration.sql}\n;${record}`, patience);
};

/** Applies what the database lacks, and records it. */
const applyMigrations = async (
  client: pg.Client,
  migrations: readonly MigrationFolder[],
  patience: Patience,
): Promise<string[]> => {
  const applied = new Set((await readRecords(client)).map(({ name }) => name));
  const missing = migrations.filter(({ name }) => !applied.has(name));
  if (missing.length > 0) await openRecords(client);
  await keepRecordsToOwner(client);
  for (const migration of missing) await named(migration.name, () => apply(client, migration, patience));
  return missing.map(({ name }) => name);
};

export interface MigrateOptions {
  /** Of the role that owns the database. */
  readonly databaseUrl: string;
  /** Folders of `migrations/<name>/migration.sql` and `functions/<name>.sql`, applied one after the other. */
  readonly prismaDirs: readonly string[];
  /** How long locks are waited for. */
  readonly patience?: Patience;
}

export interface Migrated extends AppliedFunctions {
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
const LOOK_EVERY_MS = 100;

/** Asks again and again: a statement that waits has a snapshot, which an index that is built concurrently would wait for. */
const becomeOnlyOne = async (client: pg.Client): Promise<void> => {
  const mine = async () =>
    (await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [lockNumber])).rows[0]
      ?.mine;
  while (!(await mine())) await wait(LOOK_EVERY_MS);
};

/**
 * Brings a database to what the folders say: the migrations that it lacks, then the functions that have changed. Those who
 * migrate one database at the same time wait for each other.
 */
export const migrate = async ({
  databaseUrl,
  prismaDirs,
  patience = patient,
}: MigrateOptions): Promise<Migrated> => {
  const migrations = readMigrations(prismaDirs);
  const functions = readFunctions(prismaDirs);
  return withClient(databaseUrl, async (client) => {
    await assertSupported(client);
    await becomeOnlyOne(client);
    const applied = await applyMigrations(client, migrations, patience);
    const made = await applyFunctions(client, functions, patience);
    await recordRelease(client, releaseOf(prismaDirs));
    return { migrations: applied, ...made };
  });
};

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { type AppliedFunctions, applyFunctions } from './apply-functions.ts';
import { readFunctions, workspaceRoot } from './function-list.ts';
import {
  keepRecordsToOwner,
  type MigrationFolder,
  prismaDirsOf,
  readMigrations,
  readRecords,
  recordsItself,
  toEngineList,
} from './migration-records.ts';
import { recordRelease, releaseOf } from './releases.ts';
import { type Patience, patient } from './run-script.ts';
import { type SchemaEngine, withSchemaEngine } from './schema-engine.ts';
import { withClient } from './service-databases.ts';

/** A script is one transaction, so one that did not finish has left nothing, or may be repeated: it is tried again. */
const forgetUnfinished = async (engine: SchemaEngine, unfinished: readonly string[]): Promise<void> => {
  for (const migrationName of unfinished) await engine.markMigrationRolledBack({ migrationName });
};

/** Applies what the database lacks, as `prisma migrate deploy` would, and records it in the same table. */
const applyMigrations = async (
  client: pg.Client,
  databaseUrl: string,
  migrations: readonly MigrationFolder[],
  patience: Patience,
): Promise<string[]> => {
  const records = await readRecords(client);
  const applied = new Set(records.filter(({ finished }) => finished).map(({ name }) => name));
  if (migrations.every(({ name }) => applied.has(name))) return [];
  const unfinished = records.filter(({ finished }) => !finished).map(({ name }) => name);
  const migrationsList = toEngineList(migrations.map(recordsItself));
  const filters = { externalTables: [], externalEnums: [] };
  const apply = async (engine: SchemaEngine) => {
    await forgetUnfinished(engine, unfinished);
    return (await engine.applyMigrations({ migrationsList, filters })).appliedMigrationNames;
  };
  return withSchemaEngine(databaseUrl, apply, patience);
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
    const applied = await applyMigrations(client, databaseUrl, migrations, patience).finally(() =>
      keepRecordsToOwner(client),
    );
    const made = await applyFunctions(client, functions, patience);
    await recordRelease(client, releaseOf(prismaDirs));
    return { migrations: applied, ...made };
  });
};

/**
 * The SQL that leads from what the migrations make of this database to what schema.prisma says; empty if they
 * agree. Functions, triggers and partial indexes, which Prisma's schema cannot express, are not compared.
 */
export const schemaDifference = async (service: string, databaseUrl: string): Promise<string> => {
  const schemaFile = path.join(workspaceRoot, 'services', service, 'prisma/schema.prisma');
  const files = [{ path: schemaFile, content: readFileSync(schemaFile, 'utf8') }];
  await migrate({ databaseUrl, prismaDirs: prismaDirsOf(service) });
  const result = await withSchemaEngine(databaseUrl, (engine) =>
    engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: path.dirname(schemaFile) },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  return result.exitCode === 2 ? (result.stdout ?? '') : '';
};

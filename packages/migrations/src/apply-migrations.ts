import type pg from 'pg';
import { type MigrationFolder, readRecords, recordsItself, toEngineList } from './migration-records.ts';
import type { Patience } from './run-script.ts';
import { type SchemaEngine, withSchemaEngine } from './schema-engine.ts';

/** A script is one transaction, so one that did not finish has left nothing, or may be repeated: it is tried again. */
const forgetUnfinished = async (engine: SchemaEngine, unfinished: readonly string[]): Promise<void> => {
  for (const migrationName of unfinished) await engine.markMigrationRolledBack({ migrationName });
};

/** Applies what the database lacks, as `prisma migrate deploy` would, and records it in the same table. */
export const applyMigrations = async (
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

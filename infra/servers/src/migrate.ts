import pg from 'pg';
import { type MigrationFolder, readMigrations, toEngineList } from './migration-list.ts';
import { type SchemaEngine, withSchemaEngine } from './schema-engine.ts';
import { withClient } from './service-databases.ts';

export interface MigrateOptions {
  /** Of the role that owns the database. */
  readonly databaseUrl: string;
  /** Folders of `<name>/migration.sql`, applied one after the other. */
  readonly migrationsDirs: readonly string[];
}

interface Recorded {
  readonly applied: ReadonlySet<string>;
  /** Begun and never finished: the script failed, or the process died. */
  readonly unfinished: readonly string[];
}

const lockNumber = 7_221_601; // any number, the same for all who migrate

const readRecords = async (client: pg.Client): Promise<Recorded> => {
  const table = await client.query<{ found: string | null }>(
    `SELECT to_regclass('public._prisma_migrations') AS found`,
  );
  if (!table.rows[0]?.found) return { applied: new Set(), unfinished: [] };
  const { rows } = await client.query<{ name: string; finished: boolean }>(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS finished
     FROM public._prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  const named = (finished: boolean) =>
    rows.filter((row) => row.finished === finished).map(({ name }) => name);
  return { applied: new Set(named(true)), unfinished: named(false) };
};

/**
 * The engine records a migration in a statement after its script, which is one transaction: a process that died between
 * the two would leave it applied and not recorded. So the script records itself, too.
 */
const recordsItself = ({ name, sql }: MigrationFolder): MigrationFolder => ({
  name,
  sql: `${sql}
;UPDATE public._prisma_migrations SET finished_at = now()
WHERE migration_name = ${pg.escapeLiteral(name)} AND finished_at IS NULL AND rolled_back_at IS NULL;`,
});

/** A script is one transaction, so one that did not finish has left nothing, and may be tried again. */
const forgetUnfinished = async (engine: SchemaEngine, unfinished: readonly string[]): Promise<void> => {
  for (const migrationName of unfinished) await engine.markMigrationRolledBack({ migrationName });
};

/**
 * Applies what the database lacks, as `prisma migrate deploy` would, and records it in the same table. Those who
 * migrate one database at the same time wait for each other. Resolves to the names applied.
 */
export const migrate = async ({ databaseUrl, migrationsDirs }: MigrateOptions): Promise<string[]> => {
  const migrations = readMigrations(migrationsDirs);
  return withClient(databaseUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [lockNumber]);
    const { applied, unfinished } = await readRecords(client);
    if (migrations.every(({ name }) => applied.has(name))) return [];
    const migrationsList = toEngineList(migrations.map(recordsItself));
    const filters = { externalTables: [], externalEnums: [] };
    return withSchemaEngine(databaseUrl, async (engine) => {
      await forgetUnfinished(engine, unfinished);
      const result = await engine.applyMigrations({ migrationsList, filters });
      return result.appliedMigrationNames;
    });
  });
};

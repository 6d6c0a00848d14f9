import pg from 'pg';
import { type MigrationFolder, toEngineList } from './migration-list.ts';
import { isConcurrent, type Patience } from './run-script.ts';
import { type SchemaEngine, withSchemaEngine } from './schema-engine.ts';

interface Recorded {
  readonly applied: ReadonlySet<string>;
  /** Begun and never finished: the script failed, or the process died. */
  readonly unfinished: readonly string[];
}

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
 * the two would leave it applied and not recorded. So the script records itself, too. One that runs concurrently is repeated.
 */
const recordsItself = ({ name, sql }: MigrationFolder): MigrationFolder => ({
  name,
  sql: isConcurrent(sql)
    ? sql
    : `${sql}
;UPDATE public._prisma_migrations SET finished_at = now()
WHERE migration_name = ${pg.escapeLiteral(name)} AND finished_at IS NULL AND rolled_back_at IS NULL;`,
});

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
  const { applied, unfinished } = await readRecords(client);
  if (migrations.every(({ name }) => applied.has(name))) return [];
  const migrationsList = toEngineList(migrations.map(recordsItself));
  const filters = { externalTables: [], externalEnums: [] };
  const apply = async (engine: SchemaEngine) => {
    await forgetUnfinished(engine, unfinished);
    return (await engine.applyMigrations({ migrationsList, filters })).appliedMigrationNames;
  };
  return withSchemaEngine(databaseUrl, apply, patience);
};

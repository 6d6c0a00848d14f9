import pg from 'pg';
import { readMigrations, toEngineList } from './migration-list.ts';
import { withSchemaEngine } from './schema-engine.ts';

export interface MigrateOptions {
  /** Of the role that owns the database. */
  readonly databaseUrl: string;
  /** Folders of `<name>/migration.sql`, applied one after the other. */
  readonly migrationsDirs: readonly string[];
}

const lockNumber = 7_221_601; // any number, the same for all who migrate

const namesApplied = async (client: pg.Client): Promise<Set<string>> => {
  const { rows } = await client.query<{ found: string | null }>(
    `SELECT to_regclass('public._prisma_migrations') AS found`,
  );
  if (!rows[0]?.found) return new Set();
  const applied = await client.query<{ migration_name: string }>(
    'SELECT migration_name FROM public._prisma_migrations WHERE finished_at IS NOT NULL',
  );
  return new Set(applied.rows.map((row) => row.migration_name));
};

/**
 * Applies what the database lacks, as `prisma migrate deploy` would, and records it in the same table. Those who
 * migrate one database at the same time wait for each other. Resolves to the names applied.
 */
export const migrate = async ({ databaseUrl, migrationsDirs }: MigrateOptions): Promise<string[]> => {
  const migrations = readMigrations(migrationsDirs);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lockNumber]);
    const applied = await namesApplied(client);
    if (migrations.every(({ name }) => applied.has(name))) return [];
    const list = {
      migrationsList: toEngineList(migrations),
      filters: { externalTables: [], externalEnums: [] },
    };
    const result = await withSchemaEngine(databaseUrl, (engine) => engine.applyMigrations(list));
    return result.appliedMigrationNames;
  } finally {
    await client.end();
  }
};

import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { migrationsDirOf, schemaDifference } from '@tds/migrations';
import { localDir } from './paths.ts';
import { ensurePostgres } from './postgres.ts';

/** A service's one migration until the first release, edited in place. */
const ONLY_MIGRATION = '20261122000000_tables';

/**
 * Appends to a service's migration the parts of schema.prisma that it does not create yet, by a scratch server.
 * Resolves to its file, or to undefined if it is complete.
 */
export const createMigration = async (service: string): Promise<string | undefined> => {
  const dir = path.join(localDir, `scratch-${process.pid}`);
  const server = await ensurePostgres({ dir, throwaway: true });
  try {
    const sql = await schemaDifference(service, server.url);
    if (!sql) return undefined;
    const folder = path.join(migrationsDirOf(service), ONLY_MIGRATION);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(migrationsDirOf(service), 'migration_lock.toml'), 'provider = "postgresql"\n');
    appendFileSync(path.join(folder, 'migration.sql'), sql);
    return path.join(folder, 'migration.sql');
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
};

if (import.meta.main) {
  const [service, ...others] = process.argv.slice(2);
  if (!service || others.length > 0) throw new Error('Usage: new-migration.ts <service>');
  const file = await createMigration(service);
  console.log(file ? `Wrote ${file}` : 'The migration makes what schema.prisma says already.');
}

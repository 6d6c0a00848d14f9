import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { migrationsDirOf } from './migration-list.ts';
import { localDir } from './paths.ts';
import { ensurePostgres } from './postgres.ts';
import { schemaDifference } from './schema-difference.ts';

const timestamp = (): string => new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);

/** Writes the migration that is missing, on a scratch server. Resolves to its file, or undefined where none is. */
export const createMigration = async (service: string, name: string): Promise<string | undefined> => {
  const dir = path.join(localDir, `scratch-${process.pid}`);
  const server = await ensurePostgres({ dir, throwaway: true });
  try {
    const sql = await schemaDifference(service, server.url);
    if (!sql) return undefined;
    const folder = path.join(migrationsDirOf(service), `${timestamp()}_${name.replaceAll('-', '_')}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(migrationsDirOf(service), 'migration_lock.toml'), 'provider = "postgresql"\n');
    writeFileSync(path.join(folder, 'migration.sql'), sql);
    return path.join(folder, 'migration.sql');
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
};

if (import.meta.main) {
  const [service, name] = process.argv.slice(2);
  if (!service || !name) throw new Error('Usage: new-migration.ts <service> <name>');
  const file = await createMigration(service, name);
  console.log(file ? `Wrote ${file}` : 'The migrations make what schema.prisma says already.');
}

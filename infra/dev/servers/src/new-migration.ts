import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { migrationsDirOf } from '@tds/migrations';
import { localDir } from './paths.ts';
import { ensurePostgres } from './postgres.ts';
import { schemaDifference } from './test-support/schema-difference.ts';

/**
 * Writes a migration of this title with the parts of schema.prisma that the service's migrations do not create yet, by a scratch server.
 * Resolves to its file, or to undefined if they are complete.
 */
const createMigration = async (service: string, title: string): Promise<string | undefined> => {
  const dir = path.join(localDir, `scratch-${process.pid}`);
  const server = await ensurePostgres({ dir, throwaway: true });
  try {
    const sql = await schemaDifference(service, server.url);
    if (!sql) return undefined;
    const moment = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
    const folder = path.join(migrationsDirOf(service), `${moment}_${title}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'migration.sql'), sql);
    return path.join(folder, 'migration.sql');
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
};

if (import.meta.main) {
  const [service, title = '', ...others] = process.argv.slice(2);
  if (!service || !/^[a-z0-9_]+$/.test(title) || others.length > 0)
    throw new Error('Usage: new-migration.ts <service> <title_with_underscores>');
  const file = await createMigration(service, title);
  console.log(file ? `Wrote ${file}` : 'The migrations make what schema.prisma says already.');
}

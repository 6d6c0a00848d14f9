import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { migrate } from './migrate.ts';
import { migrationsDirOf, migrationsDirsOf } from './migration-list.ts';
import { localDir, workspaceRoot } from './paths.ts';
import { ensurePostgres } from './postgres.ts';
import { withSchemaEngine } from './schema-engine.ts';

/** The SQL that leads from what the migrations make to what schema.prisma says. Empty where they agree. */
const differenceOf = async (service: string, databaseUrl: string): Promise<string> => {
  const schemaFile = path.join(workspaceRoot, 'services', service, 'prisma/schema.prisma');
  const files = [{ path: schemaFile, content: readFileSync(schemaFile, 'utf8') }];
  await migrate({ databaseUrl, migrationsDirs: migrationsDirsOf(service) });
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

const timestamp = (): string => new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);

/** Writes the migration that is missing, on a scratch server. Resolves to its file, or undefined where none is. */
export const createMigration = async (service: string, name: string): Promise<string | undefined> => {
  const dir = path.join(localDir, `scratch-${process.pid}`);
  const server = await ensurePostgres({ dir, throwaway: true });
  try {
    const sql = await differenceOf(service, server.url);
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

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from './paths.ts';

export interface MigrationFolder {
  readonly name: string;
  readonly sql: string;
}

export const migrationsDirOf = (service: string): string =>
  path.join(workspaceRoot, 'services', service, 'prisma/migrations');
export const kitMigrationsDir = path.join(workspaceRoot, 'packages/service-kit/prisma/migrations');

const objectsMigrationsDir = path.join(workspaceRoot, 'packages/service-kit/prisma-objects/migrations');

/**
 * What is applied to a service's database: the kit's schema `messaging` first, then the service's own tables. The
 * object store, which belongs to no service, is the database `objects`.
 */
export const migrationsDirsOf = (service: string): string[] =>
  service === 'objects' ? [objectsMigrationsDir] : [kitMigrationsDir, migrationsDirOf(service)];

const readFolder = (dir: string): MigrationFolder[] =>
  (existsSync(dir) ? readdirSync(dir).sort() : [])
    .map((name) => ({ name, file: path.join(dir, name, 'migration.sql') }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, sql: readFileSync(file, 'utf8') }));

/** All migrations of the folders, in order. Throws where two have the same name: the database records them by name. */
export const readMigrations = (dirs: readonly string[]): MigrationFolder[] => {
  const all = dirs.flatMap(readFolder);
  const names = all.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`Two migrations are named ${twice} (in ${dirs.join(' and ')})`);
  return all;
};

/** The shape that Prisma's engine takes. */
export const toEngineList = (migrations: readonly MigrationFolder[]) => ({
  baseDir: workspaceRoot,
  lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
  shadowDbInitScript: '',
  migrationDirectories: migrations.map(({ name, sql }) => ({
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: sql } },
  })),
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from './paths.ts';

export interface MigrationFolder {
  readonly name: string;
  readonly sql: string;
}

const prismaDirOf = (service: string): string => path.join(workspaceRoot, 'services', service, 'prisma');
export const migrationsDirOf = (service: string): string => path.join(prismaDirOf(service), 'migrations');
export const kitPrismaDir = path.join(workspaceRoot, 'packages/service-kit/prisma');

const objectsPrismaDir = path.join(workspaceRoot, 'packages/service-kit/prisma-objects');

/**
 * The folders (`migrations/`, `functions/`) that make a service's database: the kit's schema `messaging` first, then the
 * service's own tables. The object store, which belongs to no service, is the database `objects`.
 */
export const prismaDirsOf = (service: string): string[] =>
  service === 'objects' ? [objectsPrismaDir] : [kitPrismaDir, prismaDirOf(service)];

const readFolder = (dir: string): MigrationFolder[] =>
  (existsSync(dir) ? readdirSync(dir).sort() : [])
    .map((name) => ({ name, file: path.join(dir, name, 'migration.sql') }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, sql: readFileSync(file, 'utf8') }));

/** All migrations of the folders, in order. Throws if two have the same name: the database records them by name. */
export const readMigrations = (prismaDirs: readonly string[]): MigrationFolder[] => {
  const all = prismaDirs.flatMap((dir) => readFolder(path.join(dir, 'migrations')));
  const names = all.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`Two migrations are named ${twice} (in ${prismaDirs.join(' and ')})`);
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

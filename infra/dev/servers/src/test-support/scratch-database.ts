import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type MigrateOptions, type MigrationResult, migrate, releaseOf, withClient } from '@tds/migrations';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { temporaryDir } from './temporary-dir.ts';

export interface ScratchDatabase extends TestDatabase {
  /** Each `list` is a folder of migrations and functions, as a service has one. */
  writeMigration(list: string, name: string, sql: string): void;
  writeFunction(list: string, name: string, sql: string): void;
  removeFunction(list: string, name: string): void;
  apply(...lists: string[]): Promise<MigrationResult>;
  /** Gives up at the first lock that it does not get soon. */
  applyAtOnce(...lists: string[]): Promise<MigrationResult>;
  releaseOf(...lists: string[]): string;
  /** As the running service. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** A database without functions, and folders to migrate it by. */
export const openScratchDatabase = async (): Promise<ScratchDatabase> => {
  const folder = temporaryDir();
  const database = await createTestDatabase('objects');
  // Of the folders, this database has applied nothing, and no others.
  await withClient(database.adminUrl, (admin) => admin.query('TRUNCATE _prisma_migrations'));
  const write = (file: string, sql: string): void => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, sql);
  };
  const functionFile = (list: string, name: string) => path.join(folder.dir, list, 'functions', `${name}.sql`);
  const dirsOf = (lists: readonly string[]) => lists.map((list) => path.join(folder.dir, list));
  const migrateWith = (lockOptions: NonNullable<MigrateOptions['lockOptions']>, lists: readonly string[]) =>
    migrate({ databaseUrl: database.ownerUrl, prismaDirs: dirsOf(lists), lockOptions });
  return {
    ...database,
    writeMigration: (list, name, sql) =>
      write(path.join(folder.dir, list, 'migrations', name, 'migration.sql'), sql),
    writeFunction: (list, name, sql) => write(functionFile(list, name), sql),
    removeFunction: (list, name) => rmSync(functionFile(list, name)),
    apply: (...lists) => migrateWith({ lockTimeoutMs: 1_000, tries: 60 }, lists),
    applyAtOnce: (...lists) => migrateWith({ lockTimeoutMs: 200, tries: 1 }, lists),
    releaseOf: (...lists) => releaseOf(dirsOf(lists)),
    query: (sql) => withClient(database.url, async (client) => (await client.query(sql)).rows),
    close: async () => {
      await database.drop();
      folder.remove();
    },
  };
};

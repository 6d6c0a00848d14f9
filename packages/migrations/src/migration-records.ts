import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { workspaceRoot } from './function-list.ts';
import { databaseOf, urlFor, withClient } from './service-databases.ts';

export interface MigrationFolder {
  readonly name: string;
  readonly sql: string;
}

const prismaDirOf = (service: string): string => path.join(workspaceRoot, 'services', service, 'prisma');
export const migrationsDirOf = (service: string): string => path.join(prismaDirOf(service), 'migrations');
export const kitPrismaDir = path.join(workspaceRoot, 'packages/messaging/prisma');

const objectsPrismaDir = path.join(workspaceRoot, 'packages/objects/prisma');

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
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate) throw new Error(`Two migrations are named ${duplicate} (in ${prismaDirs.join(' and ')})`);
  return all;
};

interface MigrationRecord {
  readonly name: string;
  readonly checksum: string;
}

/** Before anything is recorded. Comparisons with schema.prisma leave a table of this name out. */
export const openRecords = (client: pg.Client): Promise<unknown> =>
  client.query(`
    CREATE TABLE IF NOT EXISTS public._prisma_migrations (
      migration_name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);

/** The migrations that this database has; none if it was never migrated. */
export const readRecords = async (client: pg.Client): Promise<MigrationRecord[]> => {
  const table = await client.query<{ found: string | null }>(
    `SELECT to_regclass('public._prisma_migrations') AS found`,
  );
  if (!table.rows[0]?.found) return [];
  const { rows } = await client.query<MigrationRecord>(
    'SELECT migration_name AS name, checksum FROM public._prisma_migrations',
  );
  return rows;
};

const checksumOf = ({ sql }: MigrationFolder): string => createHash('sha256').update(sql).digest('hex');

/** The statement that records it. */
export const recordSql = (migration: MigrationFolder): string => `
  INSERT INTO public._prisma_migrations (migration_name, checksum)
  VALUES (${pg.escapeLiteral(migration.name)}, '${checksumOf(migration)}')`;

/** The applied migrations that have another text in the list. */
const changedTexts = (records: readonly MigrationRecord[], migrations: readonly MigrationFolder[]): string[] =>
  migrations
    .filter((one) => records.some(({ name, checksum }) => name === one.name && checksum !== checksumOf(one)))
    .map(({ name }) => name);

/** Whether the database has applied migrations that are not in the list. */
export const isOfLaterRelease = (
  records: readonly MigrationRecord[],
  migrations: readonly MigrationFolder[],
): boolean => records.some(({ name }) => !migrations.some((one) => one.name === name));

/** No migration leads from another text to here. */
export const assertSameTexts = (
  database: string,
  records: readonly MigrationRecord[],
  migrations: readonly MigrationFolder[],
): void => {
  const changed = changedTexts(records, migrations).join(', ');
  if (changed === '') return;
  const next = 'Nothing was changed. Apply the release that made it, or restore a backup of a release';
  throw new Error(`${database} has applied another text of ${changed} than this release has. ${next}.`);
};

/** What those of the services' databases that are there have applied, and what this tree has. */
const readAll = async (adminUrl: string, services: readonly string[]) => {
  const { rows } = await withClient(adminUrl, (admin) =>
    admin.query<{ name: string }>('SELECT datname AS name FROM pg_database'),
  );
  const found = services.filter((service) => rows.some(({ name }) => name === databaseOf(service)));
  return await Promise.all(
    found.map(async (service) => {
      const database = databaseOf(service);
      const records = await withClient(urlFor(adminUrl, database), readRecords);
      return { database, records, migrations: readMigrations(prismaDirsOf(service)) };
    }),
  );
};

/** Throws if one of these databases has applied another text of a migration. */
export const assertAllSameTexts = async (adminUrl: string, services: readonly string[]): Promise<void> => {
  for (const { database, records, migrations } of await readAll(adminUrl, services))
    assertSameTexts(database, records, migrations);
};

/** Those of these databases that other migrations have made than the ones of this tree. */
export const findForeignDatabases = async (adminUrl: string, services: readonly string[]): Promise<string[]> =>
  (await readAll(adminUrl, services))
    .filter(
      (one) =>
        changedTexts(one.records, one.migrations).length > 0 || isOfLaterRelease(one.records, one.migrations),
    )
    .map(({ database }) => database);

/** The role of the running service has no business with it, though the owner's tables are open to it by default. */
export const restrictRecordsToOwner = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ statement: string }>(`
    SELECT DISTINCT format('REVOKE ALL ON public._prisma_migrations FROM %s',
      CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END) AS statement
    FROM pg_class CROSS JOIN aclexplode(relacl)
    WHERE pg_class.oid = to_regclass('public._prisma_migrations') AND grantee <> relowner`);
  for (const { statement } of rows) await client.query(statement);
};

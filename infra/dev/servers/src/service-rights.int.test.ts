import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withClient } from '@tds/migrations';
import pg from 'pg';
import { workspaceRoot } from './paths.ts';
import { createTestDatabase, type TestDatabase } from './testing/index.ts';

const services = readdirSync(path.join(workspaceRoot, 'services')).filter((service) =>
  existsSync(path.join(workspaceRoot, 'services', service, 'prisma/schema.prisma')),
);
const REFUSED = /permission denied|must be owner/;

/** What a role that is in wrong hands tries on the record of what was applied to its database. */
const attacksOnRecords = [
  'SELECT FROM _prisma_migrations',
  'SELECT count(*) FROM public._prisma_migrations',
  'TABLE _prisma_migrations',
  'SELECT checksum FROM _prisma_migrations FOR UPDATE',
  'COPY _prisma_migrations TO STDOUT',
  'COPY _prisma_migrations (checksum) FROM STDIN',
  'DELETE FROM _prisma_migrations',
  'WITH gone AS (DELETE FROM _prisma_migrations RETURNING 1) SELECT FROM gone',
  'UPDATE _prisma_migrations SET applied_at = now()',
  `INSERT INTO _prisma_migrations (checksum, migration_name) VALUES ('', '99999999999999_mine')`,
  'MERGE INTO _prisma_migrations AS m USING (SELECT 1) AS s ON true WHEN MATCHED THEN DELETE',
  'TRUNCATE _prisma_migrations',
  'BEGIN; LOCK TABLE _prisma_migrations',
  'DROP TABLE _prisma_migrations',
  'ALTER TABLE _prisma_migrations RENAME TO gone',
  'CREATE INDEX mine ON _prisma_migrations (checksum)',
];

const attacksByLargeObjects = [
  'SELECT lo_create(0)',
  'SELECT lo_creat(-1)',
  `SELECT lo_from_bytea(0, 'mine')`,
  `SELECT lo_put(1, 0, 'mine')`,
  'SELECT lo_get(1)',
  'SELECT lo_open(1, 131072)',
  `SELECT lo_import('/etc/hostname')`,
  `SELECT lo_export(1, '/tmp/mine')`,
  `SELECT lowrite(0, 'mine')`,
  'SELECT loread(0, 1)',
  'SELECT lo_unlink(1)',
  `DO $$ BEGIN PERFORM lo_create(0); END $$`,
];

describe.each([...services, 'objects'])('the role that %s runs as', (service) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(service);
  });
  afterAll(() => database.drop());

  /** Empty where the statement went through. */
  const refusalOf = (statement: string): Promise<string> =>
    withClient(database.url, (client) => client.query(statement)).then(
      () => '',
      (error: Error) => error.message,
    );

  it.each([
    ['reads, changes or hinders nothing of the record of migrations', attacksOnRecords],
    ['keeps nothing beside its tables, in large objects', attacksByLargeObjects],
  ])('%s', async (_, attacks) => {
    for (const attack of attacks)
      expect([attack, await refusalOf(attack)]).toEqual([attack, expect.stringMatching(REFUSED)]);
  });

  it('may call no function of large objects, nor hold any right on the migrations or one of their columns', async () => {
    const { username } = new URL(database.url);
    const open = `
      SELECT oid::regprocedure::text AS open FROM pg_proc
      WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^lo_|^loread|^lowrite'
        AND has_function_privilege(${pg.escapeLiteral(username)}, oid, 'EXECUTE')
      UNION ALL SELECT kind FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) AS kind
      WHERE has_any_column_privilege(${pg.escapeLiteral(username)}, 'public._prisma_migrations', kind)
      UNION ALL SELECT kind FROM unnest(ARRAY['DELETE', 'TRUNCATE', 'TRIGGER']) AS kind
      WHERE has_table_privilege(${pg.escapeLiteral(username)}, 'public._prisma_migrations', kind)`;
    const { rows } = await withClient(database.adminUrl, (admin) => admin.query(open));
    expect(rows).toEqual([]);
  });
});

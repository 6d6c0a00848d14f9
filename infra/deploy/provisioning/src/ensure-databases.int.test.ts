import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServiceDatabases, migrationsDirOf, urlFor, withClient } from '@tds/migrations';
import { ensurePostgres, type RunningPostgres } from '@tds/servers';
import { ensureDatabases } from './ensure-databases.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'tds-databases-'));
let server: RunningPostgres;
beforeAll(async () => {
  server = await ensurePostgres({ dir: path.join(dir, 'postgres'), throwaway: true });
});
afterAll(async () => {
  await server?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const query = (sql: string, url = server.url) =>
  withClient(url, async (admin) => (await admin.query(sql)).rows);

it('a database that has applied another text of a migration is refused before any of them is made or changed', async () => {
  const [last = ''] = readdirSync(migrationsDirOf('webhook-dispatcher'));
  await createServiceDatabases(server.url, ['webhook-dispatcher'], () => 'secret');
  await query(
    `CREATE TABLE _prisma_migrations AS SELECT '${last}' AS migration_name, 'x' AS checksum`,
    urlFor(server.url, 'webhook_dispatcher'),
  );
  await expect(ensureDatabases(server.url, [], () => 'another')).rejects.toThrow(
    `webhook_dispatcher has applied another text of ${last} than this release has`,
  );
  expect(await query(`SELECT datname FROM pg_database WHERE datname ~ 'archiver|objects'`)).toEqual([]);
});

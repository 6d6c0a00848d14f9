import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createServiceDatabases,
  ensurePostgres,
  migrate,
  prismaDirsOf,
  type RunningPostgres,
  urlFor,
  withClient,
} from '@tds/servers';
import { refuseOtherData } from './local-data.ts';

const dir = mkdtempSync(path.join(tmpdir(), 'tds-data-'));
let server: RunningPostgres;

const change = (sql: string) => withClient(urlFor(server.url, 'archiver'), (admin) => admin.query(sql));
const start = (): Promise<RunningPostgres> => ensurePostgres({ dir: path.join(dir, 'postgres') });

beforeAll(async () => {
  server = await start();
  const { archiver } = await createServiceDatabases(server.url, ['archiver'], () => 'secret');
  await migrate({ databaseUrl: String(archiver?.ownerUrl), prismaDirs: prismaDirsOf('archiver') });
  await change('CREATE TABLE records AS TABLE _prisma_migrations');
});
beforeEach(() => change('TRUNCATE _prisma_migrations; INSERT INTO _prisma_migrations TABLE records'));
afterAll(async () => {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

const ANOTHER = `INSERT INTO _prisma_migrations (migration_name, checksum) VALUES ('20200101000000_another', 'x')`;

describe('data of last time', () => {
  it('are used if these migrations made them, or have yet to', async () => {
    await refuseOtherData(dir, server.url);
    await change(`DELETE FROM _prisma_migrations WHERE migration_name LIKE '%_tables'`);
    await refuseOtherData(dir, server.url);
    await change('DROP TABLE _prisma_migrations');
    await refuseOtherData(dir, server.url);
    await change('CREATE TABLE _prisma_migrations (LIKE records)');
  });

  it.each([
    ['that these do not have', ANOTHER],
    [
      'whose text has changed since',
      `UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name LIKE '%_tables'`,
    ],
  ])('are rejected if a migration made them %s, with the command that begins without them', async (_, made) => {
    await change(made);
    await expect(refuseOtherData(dir, server.url)).rejects.toThrow(
      /by other migrations .*\(archiver\): .*npm start -- --data \S+ --fresh$/,
    );
  });

  it('end npm start with that sentence alone, and are as they were', async () => {
    await change(ANOTHER);
    await server.stop();
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'start.ts'), '--data', dir]);
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(1);
    expect(said).toMatch(/Could not start: the data in .* --fresh\n$/);
    expect(said).not.toMatch(/^\s+at /m);
    server = await start();
    const { rows } = await change(`SELECT FROM _prisma_migrations WHERE migration_name LIKE '%_another'`);
    expect(rows).toHaveLength(1);
  });
});

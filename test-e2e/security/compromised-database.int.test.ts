import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensureObjectsDatabase, loadSurfaces, serviceNames, storedServiceNames } from '@tds/local';
import { createServiceDatabases, ensurePostgres, urlFor, withClient } from '@tds/servers';

const databases = storedServiceNames;
const nameOf = (service: string): string => service.replaceAll('-', '_');
const REFUSED = /permission denied|must be (owner|superuser)|only roles with/;

describe('a service whose database role is in wrong hands', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'tds-compromised-'));
  let server: Awaited<ReturnType<typeof ensurePostgres>>;
  let urlOf: (service: string) => string;
  let objects: Awaited<ReturnType<typeof ensureObjectsDatabase>>;
  beforeAll(async () => {
    server = await ensurePostgres({ dir, throwaway: true });
    const passwordOf = (role: string) => `password of ${role}`;
    const urls = await createServiceDatabases(server.url, databases, passwordOf);
    objects = await ensureObjectsDatabase(server.url, await loadSurfaces(), passwordOf);
    urlOf = (service) => String(urls[service]?.url);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  /** Empty where the statement went through. */
  const refusalOf = (url: string, statement: string): Promise<string> =>
    withClient(url, (client) => client.query(statement)).then(
      () => '',
      (error: Error) => error.message,
    );

  it('is let into the database of that service and into no other, nor is its role in the object store', async () => {
    const all = [...databases.map(nameOf), 'objects', 'postgres', 'template1'];
    const enteredAs = async (url: string): Promise<string[]> => {
      const entered: string[] = [];
      for (const database of all)
        if ((await refusalOf(urlFor(url, database), 'SELECT 1')) === '') entered.push(database);
      return entered;
    };
    for (const service of databases) expect(await enteredAs(urlOf(service))).toEqual([nameOf(service)]);
    const stores = serviceNames.flatMap((service) => objects.urlOf(service) ?? []);
    expect(stores).toHaveLength(3);
    for (const url of stores) expect(await enteredAs(url)).toEqual(['objects']);
  });

  it('takes no other role there, makes nothing, and reaches neither files nor programs of the machine', async () => {
    for (const service of databases) {
      const others = databases.filter((name) => name !== service).map(nameOf);
      const attempts = [
        ...others.map((name) => `SET ROLE ${name}_app`),
        `SET ROLE ${nameOf(service)}_owner`,
        'CREATE TABLE mine (id int)',
        'CREATE ROLE mine',
        'CREATE DATABASE mine',
        `COPY (SELECT 1) TO PROGRAM 'true'`,
        `COPY (SELECT 1) TO '/tmp/mine'`,
        `SELECT pg_read_file('PG_VERSION')`,
        'ALTER SYSTEM SET fsync = off',
        'SELECT lo_create(0)',
        `SELECT lo_from_bytea(0, 'mine')`,
      ];
      for (const attempt of attempts)
        expect([service, attempt, await refusalOf(urlOf(service), attempt)]).toEqual([
          service,
          attempt,
          expect.stringMatching(REFUSED),
        ]);
    }
  });
});

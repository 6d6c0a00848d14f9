import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Surface } from '@tds/contracts';
import { ensureObjectsDatabase, loadSurfaces } from '@tds/local';
import { objectPermissionsOf } from '@tds/objects/rights';
import { createServiceDatabases, ensurePostgres, urlFor, withClient } from '@tds/servers';

const REFUSED = /permission denied|must be (owner|superuser)|row-level security|only roles with/;

const roleIn = (url: string | undefined): string => new URL(String(url)).username;

type Objects = Awaited<ReturnType<typeof ensureObjectsDatabase>>;

describe('a service whose role in the object store is in wrong hands', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'tds-objects-'));
  const passwordOf = (role: string) => `password of ${role}`;
  let server: Awaited<ReturnType<typeof ensurePostgres>>;
  let surfaces: readonly Surface[];
  let objects: Objects;
  let users: readonly string[];
  let prefixes: readonly string[];
  beforeAll(async () => {
    server = await ensurePostgres({ dir, throwaway: true });
    surfaces = await loadSurfaces();
    // As before each service had a role of its own: one for all, which an update has to shut out.
    await createServiceDatabases(server.url, ['objects'], passwordOf);
    objects = await ensureObjectsDatabase(server.url, surfaces, passwordOf);
    users = surfaces.flatMap(({ name }) => (objects.urlOf(name) === undefined ? [] : [name]));
    prefixes = surfaces.flatMap(({ contract }) => Object.values(contract.objects).map(({ prefix }) => prefix));
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  /** What a statement finds or changes, or the refusal of it. */
  const attempt = (url: string | undefined, ...statements: readonly string[]): Promise<number | string> =>
    withClient(String(url), async (client) => {
      let rows = 0;
      for (const statement of statements) rows = (await client.query(statement)).rowCount ?? 0;
      return rows;
    }).catch((error: Error) => error.message);
  const store = async (key: string): Promise<void> => {
    await attempt(objects.ownerUrl, `DELETE FROM objects WHERE key = '${key}'`);
    const stored = await attempt(
      objects.ownerUrl,
      `WITH made AS (INSERT INTO objects (key, bytes, sha256) VALUES ('${key}', 1, 'x') RETURNING key)
       INSERT INTO object_chunks (key, seq, data) SELECT key, 0, 'x' FROM made`,
    );
    expect(stored).toBe(1);
  };
  const isStored = async (key: string): Promise<boolean> =>
    (await attempt(objects.ownerUrl, `SELECT FROM object_chunks WHERE key = '${key}' AND data = 'x'`)) === 1 &&
    (await attempt(objects.ownerUrl, `SELECT FROM objects WHERE key = '${key}' AND sha256 = 'x'`)) === 1;
  /** Of a statement that may find nothing to change, or be refused. */
  const changedBy = async (url: string | undefined, statement: string): Promise<number | string> => {
    const answer = await attempt(url, statement);
    return typeof answer === 'string' && REFUSED.test(answer) ? 0 : answer;
  };

  it('reaches what is listed here, and nothing else; services without objects have no role and no address', () => {
    const reached = surfaces.flatMap((surface) => {
      const rights = objectPermissionsOf(surface);
      return rights.writes.length + rights.reads.length === 0 ? [] : [[surface.name, rights] as const];
    });
    expect(Object.fromEntries(reached)).toEqual({
      archiver: { writes: ['archives/'], reads: ['rendered/'] },
      gateway: { writes: ['downloads/'], reads: ['rendered/', 'archives/'] },
      'transcript-fetcher': { writes: ['cues/', 'rendered/'], reads: [] },
    });
    expect(users.toSorted()).toEqual(reached.map(([name]) => name).toSorted());
  });

  it('reads no object of a kind that its surface does not name, by whatever statement', async () => {
    for (const prefix of prefixes) await store(`${prefix}read`);
    for (const service of users) {
      const surface = surfaces.find(({ name }) => name === service) as Surface;
      const { writes, reads } = objectPermissionsOf(surface);
      for (const prefix of prefixes) {
        const key = `${prefix}read`;
        const found = await Promise.all(
          [
            `SELECT FROM objects WHERE key = '${key}'`,
            `SELECT FROM object_chunks WHERE key = '${key}'`,
            `SELECT FROM object_chunks WHERE key = ANY (ARRAY['${key}'])`,
            `SELECT FROM objects WHERE key LIKE '${prefix}%'`,
            `SELECT FROM objects NATURAL JOIN object_chunks WHERE key = '${key}'`,
          ].map((statement) => attempt(objects.urlOf(service), statement)),
        );
        const isMine = [...writes, ...reads].includes(prefix);
        expect([service, prefix, found]).toEqual([service, prefix, found.map(() => (isMine ? 1 : 0))]);
        const unbarred = await attempt(
          objects.urlOf(service),
          'SET row_security = off',
          `SELECT FROM objects WHERE key = '${key}'`,
        );
        expect([service, unbarred]).toEqual([service, expect.stringMatching(REFUSED)]);
      }
    }
  });

  it('makes, changes and deletes no object of a kind that it does not keep, nor a chunk of one', async () => {
    for (const service of users) {
      const { writes } = objectPermissionsOf(surfaces.find(({ name }) => name === service) as Surface);
      for (const prefix of prefixes.filter((each) => !writes.includes(each))) {
        const key = `${prefix}written`;
        await store(key);
        const url = objects.urlOf(service);
        for (const made of [
          `INSERT INTO objects (key, bytes, sha256) VALUES ('${prefix}made', 1, 'y')`,
          `INSERT INTO objects (key, bytes, sha256) VALUES ('${key}', 1, 'y') ON CONFLICT (key) DO NOTHING`,
          `INSERT INTO object_chunks (key, seq, data) VALUES ('${key}', 1, 'y')`,
          `UPDATE objects SET key = key`,
          `UPDATE object_chunks SET data = 'y'`,
          'DELETE FROM object_chunks',
        ])
          expect([service, made, await attempt(url, made)]).toEqual([
            service,
            made,
            expect.stringMatching(REFUSED),
          ]);
        for (const changed of [
          `UPDATE objects SET sha256 = 'y' WHERE key = '${key}'`,
          `DELETE FROM objects WHERE key = '${key}'`,
        ])
          expect([service, changed, await changedBy(url, changed)]).toEqual([service, changed, 0]);
        await attempt(url, 'DELETE FROM objects');
        expect([service, key, await isStored(key)]).toEqual([service, key, true]);
      }
    }
  });

  it('keeps its own: stores, completes and deletes what its contract names', async () => {
    for (const service of users) {
      const { writes } = objectPermissionsOf(surfaces.find(({ name }) => name === service) as Surface);
      for (const prefix of writes) {
        const url = objects.urlOf(service);
        const key = `${prefix}own`;
        const done = [
          await attempt(url, `INSERT INTO objects (key, bytes, sha256) VALUES ('${key}', 0, '')`),
          await attempt(url, `INSERT INTO object_chunks (key, seq, data) VALUES ('${key}', 0, 'x')`),
          await attempt(url, `UPDATE objects SET bytes = 1, sha256 = 'x' WHERE key = '${key}'`),
          await attempt(url, `DELETE FROM objects WHERE key = '${key}'`),
        ];
        expect([service, prefix, done]).toEqual([service, prefix, [1, 1, 1, 1]]);
        expect(await attempt(objects.ownerUrl, `SELECT FROM object_chunks WHERE key = '${key}'`)).toBe(0);
      }
    }
  });

  it('takes no other role, makes and changes nothing but rows, and sees nothing else of the database', async () => {
    for (const service of users) {
      const url = objects.urlOf(service);
      const others = users.filter((name) => name !== service);
      const attempts = [
        ...others.map((name) => `SET ROLE ${roleIn(objects.urlOf(name))}`),
        ...['objects_app', 'objects_owner', 'postgres'].map((name) => `SET ROLE ${name}`),
        'CREATE TABLE mine (id int)',
        'CREATE TEMP TABLE mine (id int)',
        'CREATE SCHEMA mine',
        `CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
        'CREATE ROLE mine',
        'TRUNCATE objects CASCADE',
        'DROP TABLE object_chunks',
        'ALTER TABLE objects DISABLE ROW LEVEL SECURITY',
        'CREATE POLICY mine ON objects USING (true)',
        `DROP POLICY "objects_gateway reads" ON objects`,
        'ALTER ROLE objects_owner PASSWORD NULL',
        'SELECT FROM _prisma_migrations',
        `SELECT pg_read_file('PG_VERSION')`,
        `COPY objects TO '/tmp/mine'`,
        'SELECT lo_create(0)',
        `SELECT lo_from_bytea(0, 'mine')`,
      ];
      for (const each of attempts)
        expect([service, each, await attempt(url, each)]).toEqual([
          service,
          each,
          expect.stringMatching(REFUSED),
        ]);
      // A grant without the right to grant is a warning and no error.
      await attempt(url, 'GRANT ALL ON objects, object_chunks TO PUBLIC');
    }
    const open = `SELECT FROM pg_class, aclexplode(relacl) WHERE grantee = 0 AND relname LIKE 'object%'`;
    expect(await attempt(urlFor(server.url, 'objects'), open)).toBe(0);
  });

  it('sets nothing for itself that outlasts the next start, its password included', async () => {
    for (const service of users) {
      const url = String(objects.urlOf(service));
      const role = roleIn(url);
      for (const attack of [
        `ALTER ROLE ${role} SET row_security = off`,
        `ALTER ROLE CURRENT_USER SET search_path = 'elsewhere'`,
        `ALTER ROLE ${role} IN DATABASE objects SET statement_timeout = '1h'`,
        `ALTER ROLE ${role} IN DATABASE postgres SET statement_timeout = '1h'`,
        `ALTER ROLE ${role} PASSWORD 'mine'`,
      ])
        expect([attack, typeof (await attempt(url, attack))]).toEqual([attack, 'number']);
      await ensureObjectsDatabase(server.url, surfaces, passwordOf);
      const held = `SELECT FROM pg_db_role_setting WHERE setrole = '${role}'::regrole`;
      expect([service, await attempt(url, held)]).toEqual([service, 0]);
    }
  });

  it('enters no other database, and does not connect with the password of another or none', async () => {
    for (const service of users) {
      for (const database of ['postgres', 'template1'])
        expect(await attempt(urlFor(String(objects.urlOf(service)), database), 'SELECT 1')).toMatch(REFUSED);
      for (const other of users.filter((name) => name !== service)) {
        const url = new URL(String(objects.urlOf(service)));
        url.password = new URL(String(objects.urlOf(other))).password;
        expect(await attempt(url.href, 'SELECT 1')).toMatch('password authentication failed');
      }
    }
  });

  it('that was let in under the one name of all services before is not let in any more', async () => {
    const old = urlFor(server.url, 'objects', { name: 'objects_app', password: passwordOf('objects_app') });
    expect(await attempt(old, 'SELECT 1')).toMatch('permission denied for database');
    const held = await attempt(
      urlFor(server.url, 'objects'),
      `SELECT FROM pg_class, aclexplode(relacl) WHERE grantee = 'objects_app'::regrole
       UNION ALL SELECT FROM pg_default_acl, aclexplode(defaclacl) WHERE grantee = 'objects_app'::regrole`,
    );
    expect(held).toBe(0);
  });
});

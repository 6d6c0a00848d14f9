import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { prismaDirsOf, readFunctionCatalog, readFunctions, withClient } from '@tds/migrations';
import { workspaceRoot } from './paths.ts';
import { schemaDifference } from './test-support/schema-difference.ts';
import { createTestDatabase, type TestDatabase } from './testing/index.ts';

const servicesWith = (file: string) =>
  readdirSync(path.join(workspaceRoot, 'services')).filter((service) =>
    existsSync(path.join(workspaceRoot, 'services', service, 'prisma', file)),
  );
const services = servicesWith('migrations');

/** The roles that may call a function: its owner, and the role of the service. */
const CALLERS = `
  SELECT p.oid::text AS id, array_agg(pg_get_userbyid(a.grantee)::text ORDER BY a.grantee = p.proowner) AS callers
  FROM pg_proc AS p CROSS JOIN aclexplode(p.proacl) AS a
  WHERE a.privilege_type = 'EXECUTE' GROUP BY p.oid`;

/** Foreign keys whose columns lead no valid index over all rows. */
const WITHOUT_INDEX = `
  SELECT conrelid::regclass || ': ' || conname AS "foreignKey" FROM pg_constraint
  WHERE contype = 'f' AND NOT EXISTS (
    SELECT FROM pg_index
    WHERE indrelid = conrelid AND indpred IS NULL AND indisvalid
      AND (string_to_array(indkey::text, ' ')::int2[])[1:cardinality(conkey)] @> conkey
  ) ORDER BY 1`;

const withoutIndex = (url: string) =>
  withClient(url, async (client) => (await client.query<{ foreignKey: string }>(WITHOUT_INDEX)).rows);

it('every service that has a client of Prisma has migrations', () => {
  expect(services.length).toBeGreaterThan(0);
  expect(servicesWith('schema.prisma')).toEqual(services);
});

describe.each([...services, 'objects'])('the database of %s', (service) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(service);
  });
  afterAll(() => database.drop());

  it('has one file for each function, and each file makes one function', async () => {
    const catalog = await withClient(database.ownerUrl, readFunctionCatalog);
    const files = readFunctions(prismaDirsOf(service));
    expect(catalog.map(({ name }) => name)).toEqual(files.map(({ name }) => name).sort());
  });

  it('has functions that the service only may call', async () => {
    await withClient(database.ownerUrl, async (client) => {
      const { rows } = await client.query<{ id: string; callers: string[] }>(CALLERS);
      const role = service.replaceAll('-', '_');
      for (const { id, name } of await readFunctionCatalog(client)) {
        const callers = rows.find((row) => row.id === id)?.callers;
        expect({ name, callers }).toEqual({ name, callers: [`${role}_app`, `${role}_owner`] });
      }
    });
  });

  it('has a full index for each foreign key, or deleting what it points to reads the whole table', async () => {
    expect(await withoutIndex(database.ownerUrl)).toEqual([]);
  });

  if (service !== 'objects')
    it('has the tables that the client of the service expects', async () => {
      expect(await schemaDifference(service, database.ownerUrl)).toBe('');
    });
});

it('a foreign key needs a full index: a partial one, one on other columns or none does not do', async () => {
  const database = await createTestDatabase('messaging');
  await withClient(database.ownerUrl, (client) =>
    client.query(`
      CREATE TABLE parent (a int, b int, PRIMARY KEY (a, b));
      CREATE TABLE good (x int, a int, b int, CONSTRAINT good_fk FOREIGN KEY (a, b) REFERENCES parent);
      CREATE INDEX ON good (b, a, x);
      CREATE TABLE partly (a int, b int, CONSTRAINT partly_fk FOREIGN KEY (a, b) REFERENCES parent);
      CREATE INDEX ON partly (a, b) WHERE a > 0;
      CREATE TABLE behind (x int, a int, b int, CONSTRAINT behind_fk FOREIGN KEY (a, b) REFERENCES parent);
      CREATE INDEX ON behind (x, a, b);
      CREATE TABLE bare (a int, b int, CONSTRAINT bare_fk FOREIGN KEY (a, b) REFERENCES parent);`),
  );
  expect(await withoutIndex(database.ownerUrl)).toEqual([
    { foreignKey: 'bare: bare_fk' },
    { foreignKey: 'behind: behind_fk' },
    { foreignKey: 'partly: partly_fk' },
  ]);
  await database.drop();
});

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { prismaDirsOf, readFunctionCatalog, readFunctions, withClient } from '@tds/migrations';
import { workspaceRoot } from './paths.ts';
import { createTestDatabase } from './testing/index.ts';

const services = readdirSync(path.join(workspaceRoot, 'services')).filter((service) =>
  existsSync(path.join(workspaceRoot, 'services', service, 'prisma/migrations')),
);

/** The roles that may call a function: its owner, and the role of the service. */
const CALLERS = `
  SELECT p.oid::text AS id, array_agg(pg_get_userbyid(a.grantee)::text ORDER BY a.grantee = p.proowner) AS callers
  FROM pg_proc AS p CROSS JOIN aclexplode(p.proacl) AS a
  WHERE a.privilege_type = 'EXECUTE' GROUP BY p.oid`;

describe.each([...services, 'objects'])('the functions of %s', (service) => {
  it('have one file each, and each file makes one function', async () => {
    const database = await createTestDatabase(service);
    const catalog = await withClient(database.ownerUrl, readFunctionCatalog);
    await database.drop();
    const files = readFunctions(prismaDirsOf(service));
    expect(catalog.map(({ name }) => name)).toEqual(files.map(({ name }) => name).sort());
  });

  it('may be called by the service only', async () => {
    const database = await createTestDatabase(service);
    await withClient(database.ownerUrl, async (client) => {
      const { rows } = await client.query<{ id: string; callers: string[] }>(CALLERS);
      const role = service.replaceAll('-', '_');
      for (const { id, name } of await readFunctionCatalog(client)) {
        const callers = rows.find((row) => row.id === id)?.callers;
        expect({ name, callers }).toEqual({ name, callers: [`${role}_app`, `${role}_owner`] });
      }
    });
    await database.drop();
  });
});

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { withClient } from '@tds/migrations';
import { workspaceRoot } from './paths.ts';
import { createTestDatabase } from './testing/index.ts';

const services = readdirSync(path.join(workspaceRoot, 'services')).filter((service) =>
  existsSync(path.join(workspaceRoot, 'services', service, 'prisma/migrations')),
);

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

describe('foreign keys', () => {
  it.each([...services, 'objects'])(
    'of %s each have a full index, or deleting what they point to reads the whole table',
    async (service) => {
      const database = await createTestDatabase(service);
      expect(await withoutIndex(database.ownerUrl)).toEqual([]);
      await database.drop();
    },
  );

  it('need a full index: a partial one, one on other columns or none does not do', async () => {
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
});

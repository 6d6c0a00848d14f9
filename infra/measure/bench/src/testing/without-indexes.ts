import type { Client } from '../support/databases.ts';

const INDEXES = `
  SELECT CASE WHEN c.oid IS NULL THEN format('DROP INDEX %s', i.indexrelid::regclass)
              ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', i.indrelid::regclass, c.conname) END AS drop,
         CASE WHEN c.oid IS NULL THEN pg_get_indexdef(i.indexrelid)
              ELSE format('ALTER TABLE %s ADD CONSTRAINT %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid))
         END AS make
  FROM pg_index AS i LEFT JOIN pg_constraint AS c ON c.conindid = i.indexrelid AND c.contype IN ('p', 'u')
  WHERE i.indrelid = $1::regclass AND NOT EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND conindid = i.indexrelid)`;

/** Makes the table's indexes, except those that foreign keys need, after its rows: sorting a million keys is quicker than finding a place for each in every index. */
export async function withoutIndexes(
  client: Client,
  table: string,
  fill: () => Promise<unknown>,
): Promise<void> {
  const { rows: indexes } = await client.query<{ drop: string; make: string }>(INDEXES, [table]);
  for (const { drop } of indexes) await client.query(drop);
  await fill();
  for (const { make } of indexes) await client.query(make);
}

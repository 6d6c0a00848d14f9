import { createHash } from 'node:crypto';
import { named } from '@tds/base/internals';
import type { Pool, PoolClient } from 'pg';
import type { NewObject, StoredObject } from './object-store.ts';

type Head = { readonly key: string; readonly contentType: string | null };
type Source = {
  readonly first: readonly Buffer[];
  readonly tail: AsyncIterable<Buffer>;
  /** Makes `tail` fail, because its reader is gone. */
  readonly abort: (error: Error) => void;
};

/** `created` is false if the key existed before; no row if a concurrent put won. */
const smallSql = `
WITH made AS (
  INSERT INTO objects (key, bytes, sha256, content_type) VALUES ($1, $2, $3, $4)
  ON CONFLICT (key) DO NOTHING RETURNING key
), chunk AS (
  INSERT INTO object_chunks (key, seq, data) SELECT key, 0, $5::bytea FROM made
)
SELECT true AS created, NULL::bigint AS bytes, NULL AS sha256 FROM made
UNION ALL SELECT false, bytes, sha256 FROM objects WHERE key = $1`;

type SmallRow = { created: boolean; bytes: string; sha256: string };

/** One statement, one round trip. Null if a concurrent put of the key won. */
export const insertSmall = async (pool: Pool, head: Head, data: Buffer): Promise<StoredObject | null> => {
  const stored = { bytes: data.length, sha256: createHash('sha256').update(data).digest('hex') };
  const values = [head.key, stored.bytes, stored.sha256, head.contentType, data];
  const [row] = (await pool.query<SmallRow>(named(smallSql, values))).rows;
  if (!row) return null;
  return row.created ? stored : { bytes: Number(row.bytes), sha256: row.sha256 };
};

/** In the order of keys, so that two puts of the same objects cannot deadlock. */
const allSmallSql = `
WITH fresh AS (
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bytea[]) AS object (key, bytes, sha256, data)
), made AS (
  INSERT INTO objects (key, bytes, sha256) SELECT key, bytes, sha256 FROM fresh ORDER BY key
  ON CONFLICT (key) DO NOTHING RETURNING key
)
INSERT INTO object_chunks (key, seq, data) SELECT key, 0, data FROM fresh JOIN made USING (key)`;

/** Inserts objects of one chunk each in one statement; existing ones stay unchanged. */
export const insertAllSmall = async (pool: Pool, objects: readonly NewObject[]): Promise<void> => {
  if (objects.length === 0) return;
  const values = [
    objects.map(({ key }) => key),
    objects.map(({ data }) => data.length),
    objects.map(({ data }) => createHash('sha256').update(data).digest('hex')),
    objects.map(({ data }) => Buffer.from(data.buffer, data.byteOffset, data.length)),
  ];
  await pool.query(named(allSmallSql, values));
};

const insertChunks = async (
  client: PoolClient,
  key: string,
  { first, tail }: Source,
): Promise<StoredObject> => {
  const hash = createHash('sha256');
  let bytes = 0;
  let seq = 0;
  const insert = async (chunk: Buffer): Promise<void> => {
    hash.update(chunk);
    bytes += chunk.length;
    const text = 'INSERT INTO object_chunks (key, seq, data) VALUES ($1, $2, $3)';
    await client.query(named(text, [key, seq++, chunk]));
  };
  for (const chunk of first) await insert(chunk);
  for await (const chunk of tail) await insert(chunk);
  return { bytes, sha256: hash.digest('hex') };
};

/** Claims the key first, so that a second put of it waits for this one and then finds the object. */
const claimSql = `
INSERT INTO objects (key, bytes, sha256, content_type) VALUES ($1, 0, '', $2) ON CONFLICT (key) DO NOTHING`;
const completeSql = 'UPDATE objects SET bytes = $2, sha256 = $3 WHERE key = $1';

const insertInTransaction = async (
  client: PoolClient,
  head: Head,
  source: Source,
): Promise<StoredObject | null> => {
  await client.query('BEGIN');
  const { rowCount } = await client.query(claimSql, [head.key, head.contentType]);
  if (rowCount === 0) {
    await client.query('ROLLBACK');
    return null;
  }
  const stored = await insertChunks(client, head.key, source);
  await client.query(completeSql, [head.key, stored.bytes, stored.sha256]);
  await client.query('COMMIT');
  return stored;
};

/** One transaction, one chunk in memory at a time. Null if the key existed before. */
export const insertLarge = async (pool: Pool, head: Head, source: Source): Promise<StoredObject | null> => {
  const client = await pool.connect();
  client.on('error', source.abort);
  let isUsable = false;
  try {
    const stored = await insertInTransaction(client, head, source);
    isUsable = true;
    return stored;
  } finally {
    client.off('error', source.abort);
    // Closing the connection is the rollback that works in every state it may be in.
    client.release(!isUsable);
  }
};

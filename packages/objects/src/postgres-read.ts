import { Readable } from 'node:stream';
import type { Sql } from '@tds/base';
import type { ByteRange } from './object-store.ts';
import { CHUNK_BYTES } from './spool.ts';

const CHUNKS_PER_READ = 4;

const concatenate = ([first, ...more]: readonly Buffer[]): Buffer =>
  first && more.length === 0 ? first : Buffer.concat([...(first ? [first] : []), ...more]);

const allSql = 'SELECT key, data FROM object_chunks WHERE key = ANY ($1::text[]) ORDER BY key, seq';

/** Those of the objects that exist, in one round trip. */
export const readAllBytes = async (sql: Sql, keys: readonly string[]): Promise<ReadonlyMap<string, Buffer>> => {
  if (keys.length === 0) return new Map();
  const rows = await sql<{ key: string; data: Buffer }>(allSql, [keys]);
  const chunks = new Map<string, Buffer[]>();
  for (const { key, data } of rows) {
    const pieces = chunks.get(key);
    if (pieces) pieces.push(data);
    else chunks.set(key, [data]);
  }
  return new Map([...chunks].map(([key, parts]) => [key, concatenate(parts)]));
};

const bytesSql = 'SELECT data FROM object_chunks WHERE key = $1 ORDER BY seq';

/** For one key: planned once, while the statement for many keys is planned at each call. */
export const readBytes = async (sql: Sql, key: string): Promise<Buffer | null> => {
  const rows = await sql<{ data: Buffer }>(bytesSql, [key]);
  return rows.length === 0 ? null : concatenate(rows.map(({ data }) => data));
};

const existingSql = 'SELECT key FROM objects WHERE key = ANY ($1::text[])';

/** Those of the keys under which there is an object. */
export const findExistingKeys = async (sql: Sql, keys: readonly string[]): Promise<ReadonlySet<string>> => {
  if (keys.length === 0) return new Set();
  const rows = await sql<{ key: string }>(existingSql, [keys]);
  return new Set(rows.map(({ key }) => key));
};

/** A policy quotes the beginnings of keys that it shows (`run/object-users`). */
const hiddenSql = `
SELECT prefix FROM unnest($1::text[]) AS prefix
WHERE row_security_active('objects') AND NOT EXISTS (
  SELECT FROM pg_policies WHERE tablename = 'objects' AND cmd IN ('ALL', 'SELECT')
    AND current_user = ANY (roles) AND position(quote_literal(prefix) IN qual) > 0)`;

/** Those of the beginnings of keys that no policy shows to this role: for it, what lies there is lost. */
export const findHiddenPrefixes = async (sql: Sql, prefixes: readonly string[]): Promise<readonly string[]> => {
  const rows = await sql<{ prefix: string }>(hiddenSql, [prefixes]);
  return rows.map(({ prefix }) => prefix);
};

const headSql = `
SELECT o.bytes, c.data FROM objects o JOIN object_chunks c ON c.key = o.key AND c.seq = 0
WHERE o.key = $1`;
const sizeSql = `
SELECT o.bytes, octet_length(c.data) AS chunk FROM objects o
JOIN object_chunks c ON c.key = o.key AND c.seq = 0 WHERE o.key = $1`;
const nextSql = `
SELECT data FROM object_chunks WHERE key = $1 AND seq >= $2 AND seq < $2 + ${CHUNKS_PER_READ} ORDER BY seq`;

/** Chunks from one on, until `until` bytes after the beginning of that one have come. */
async function* readChunks(sql: Sql, key: string, from: number, until: number): AsyncGenerator<Buffer> {
  for (let seq = from, sentBytes = 0; sentBytes < until; ) {
    const rows = await sql<{ data: Buffer }>(nextSql, [key, seq]);
    if (rows.length === 0) throw new Error(`object ${key} was deleted while it was read`);
    for (const { data } of rows) {
      yield data;
      sentBytes += data.length;
    }
    seq += rows.length;
  }
}

async function* wholeObject(sql: Sql, key: string, head: Buffer, bytes: number): AsyncGenerator<Buffer> {
  yield head;
  yield* readChunks(sql, key, 1, bytes - head.length);
}

/** `skip` bytes less at the beginning, and `bytes` in all. */
async function* within(chunks: AsyncIterable<Buffer>, skip: number, bytes: number): AsyncGenerator<Buffer> {
  let [toSkip, remaining] = [skip, bytes];
  for await (const chunk of chunks) {
    const piece = chunk.subarray(toSkip, toSkip + remaining);
    toSkip = Math.max(0, toSkip - chunk.length);
    remaining -= piece.length;
    if (piece.length > 0) yield piece;
    if (remaining === 0) return;
  }
}

const toStream = (chunks: AsyncIterable<Buffer>): Readable =>
  Readable.from(chunks, { objectMode: false, highWaterMark: CHUNK_BYTES });

/** One round trip for a small object; a large one is read as it is consumed, holding no connection in between. */
export const objectStream = async (sql: Sql, key: string): Promise<Readable | null> => {
  const [head] = await sql<{ bytes: string; data: Buffer }>(headSql, [key]);
  return head ? toStream(wholeObject(sql, key, head.data, Number(head.bytes))) : null;
};

/** A part of it; only the chunks that hold it are read. */
export const objectRange = async (
  sql: Sql,
  key: string,
  { start, bytes }: ByteRange,
): Promise<Readable | null> => {
  const [size] = await sql<{ bytes: string; chunk: number }>(sizeSql, [key]);
  if (!size) return null;
  const rangeBytes = Math.max(0, Math.min(bytes, Number(size.bytes) - start));
  if (rangeBytes === 0) return toStream(within(Readable.from([]), 0, 0));
  const first = Math.floor(start / size.chunk);
  const skip = start - first * size.chunk;
  return toStream(within(readChunks(sql, key, first, skip + rangeBytes), skip, rangeBytes));
};

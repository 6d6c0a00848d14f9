import { Readable } from 'node:stream';
import type { Pool } from 'pg';
import { CHUNK_BYTES } from './chunks.ts';

const CHUNKS_PER_READ = 4;

const headSql = `
SELECT o.bytes, c.data FROM objects o JOIN object_chunks c ON c.key = o.key AND c.seq = 0 WHERE o.key = $1`;
const nextSql = `
SELECT data FROM object_chunks WHERE key = $1 AND seq >= $2 AND seq < $2 + ${CHUNKS_PER_READ} ORDER BY seq`;

type HeadRow = { bytes: string; data: Buffer };

async function* readChunks(pool: Pool, key: string, head: HeadRow): AsyncGenerator<Buffer> {
  yield head.data;
  const bytes = Number(head.bytes);
  let sent = head.data.length;
  let seq = 1;
  while (sent < bytes) {
    const query = { name: 'objects-next', text: nextSql, values: [key, seq] };
    const { rows } = await pool.query<{ data: Buffer }>(query);
    if (rows.length === 0) throw new Error(`object ${key} was deleted while it was read`);
    for (const { data } of rows) {
      yield data;
      sent += data.length;
    }
    seq += rows.length;
  }
}

/** One round trip for a small object; a large one is read as it is consumed, holding no connection in between. */
export const objectStream = async (pool: Pool, key: string): Promise<Readable | null> => {
  const query = { name: 'objects-head', text: headSql, values: [key] };
  const [head] = (await pool.query<HeadRow>(query)).rows;
  if (!head) return null;
  return Readable.from(readChunks(pool, key, head), { objectMode: false, highWaterMark: CHUNK_BYTES });
};

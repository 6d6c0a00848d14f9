import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import type { BookCheck } from './check.ts';
import type { Evidence } from './evidence.ts';

type Stored = { readonly object_key: string; readonly sha256: string };

const SAMPLE = 100;

/** A part of a table, by its ids, that is another one every hour; all of it where it is small. */
const sampled = (columns: string, table: string, id: string): string => {
  const start = `md5(to_char(now(), 'YYYYMMDDHH24'))::uuid`;
  const part = (where: string) =>
    `(SELECT ${columns} FROM ${table} WHERE ${id} ${where} ${start} ORDER BY ${id} LIMIT ${SAMPLE})`;
  return `SELECT * FROM (${part('>=')} UNION ALL ${part('<')}) AS part LIMIT ${SAMPLE}`;
};
const FILES = sampled('object_key, sha256', 'rendered_files', 'transcript_id');
const CUES = sampled(`object_key, substr(object_key, length('cues/') + 1) AS sha256`, 'transcripts', 'id');
const BYTES = `
  SELECT key, string_agg(data, ''::bytea ORDER BY seq) AS data FROM object_chunks WHERE key = ANY ($1) GROUP BY key`;

const hashOf = (data: Buffer): string => {
  try {
    return createHash('sha256').update(inflateRawSync(data)).digest('hex');
  } catch {
    return 'unreadable';
  }
};

/** What is missing is another check's, or is rendered again. */
const compare = async ({ rows }: Evidence, stored: readonly Stored[]) => {
  const keys = stored.map(({ object_key }) => object_key);
  const found = await rows<{ key: string; data: Buffer }>('objects', BYTES, [keys]);
  const hashes = new Map(found.map(({ key, data }) => [key, hashOf(data)]));
  return stored.flatMap(({ object_key, sha256 }) => {
    const hash = hashes.get(object_key) ?? sha256;
    const what = 'bytes of a stored object';
    return hash === sha256 ? [] : [{ subject: object_key, what, expected: sha256, found: hash }];
  });
};

export const storedBytesCheck: BookCheck = {
  invariant: 'I3',
  promise: 'what is stored has the bytes that it was stored with (a hundred files, others every hour)',
  look: async (evidence) => {
    const stored: Stored[] = [];
    for (const sql of [FILES, CUES]) stored.push(...(await evidence.rows<Stored>('transcript-fetcher', sql)));
    return await compare(evidence, stored);
  },
};

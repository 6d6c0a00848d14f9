import { Readable } from 'node:stream';
import { createSql, type Sql } from '@tds/base';
import { endWithConnections, tracePool } from '@tds/base/internals';
import { OBJECT_CONNECTION_MS, OBJECT_MS } from '@tds/contracts';
import pg from 'pg';
import {
  assertObjectKey,
  type ObjectStat,
  type ObjectStore,
  type PostgresObjectsConfig,
} from './object-store.ts';
import { insertAllSmall, insertLarge, insertSmall } from './postgres-put.ts';
import {
  findExistingKeys,
  findHiddenPrefixes,
  objectRange,
  objectStream,
  readAllBytes,
  readBytes,
} from './postgres-read.ts';
import { CHUNK_BYTES, inChunks } from './spool.ts';

const DEFAULT_CONNECTIONS = 8;
const UPLOAD_TURN_TIMEOUT_MS = 60_000;
/** A little longer, for a server that is frozen and enforces nothing. */
const FROZEN_AFTER_MS = 2_000;
const STALLED_SOURCE_TIMEOUT_MS = 60_000;

type StatRow = { bytes: string; sha256: string; content_type: string | null; created_at: Date };

/** `uploads` has its own connections: an upload holds one while its source may well be reading other objects. */
type Pools = { readonly statements: pg.Pool; readonly uploads: pg.Pool };

const openPool = (
  { databaseUrl, answerWithinMs = OBJECT_MS }: PostgresObjectsConfig,
  limits: Pick<pg.PoolConfig, 'max' | 'connectionTimeoutMillis'>,
): pg.Pool => {
  const pool = new pg.Pool({
    ...limits,
    connectionString: databaseUrl,
    application_name: 'objects',
    keepAlive: true,
    statement_timeout: answerWithinMs,
    query_timeout: answerWithinMs + FROZEN_AFTER_MS,
    // Also gives up an upload whose source has stopped in the middle.
    idle_in_transaction_session_timeout: STALLED_SOURCE_TIMEOUT_MS,
  });
  // An idle connection was lost; the pool opens another when one is asked for.
  pool.on('error', () => {});
  // A connection's end may be read together with the answer that hands it out, before its user can listen.
  pool.on('connect', (client) => client.on('error', () => {}));
  endWithConnections(pool);
  return tracePool(pool);
};

const openPools = (config: PostgresObjectsConfig): Pools => {
  const { maxConnections: max = DEFAULT_CONNECTIONS } = config;
  return {
    statements: openPool(config, { max, connectionTimeoutMillis: OBJECT_CONNECTION_MS }),
    uploads: openPool(config, { max: Math.ceil(max / 2), connectionTimeoutMillis: UPLOAD_TURN_TIMEOUT_MS }),
  };
};

const statIn = async (sql: Sql, key: string): Promise<ObjectStat | null> => {
  const text = 'SELECT bytes, sha256, content_type, created_at FROM objects WHERE key = $1';
  const [row] = await sql<StatRow>(text, [key]);
  if (!row) return null;
  return {
    bytes: Number(row.bytes),
    sha256: row.sha256,
    contentType: row.content_type,
    createdAt: row.created_at,
  };
};

const putIn = async (pools: Pools, key: string, data: Uint8Array | Readable, contentType: string | null) => {
  const chunks = inChunks(data);
  const first = (await chunks.next()).value ?? Buffer.alloc(0);
  const second = await chunks.next();
  const head = { key, contentType };
  const stored = second.done
    ? await insertSmall(pools.statements, head, first)
    : await insertLarge(pools.uploads, head, {
        first: [first, second.value],
        tail: chunks,
        abort: (error) => data instanceof Readable && data.destroy(error),
      });
  const object = stored ?? (await statIn(createSql(pools.statements), key));
  // Another writer stored the key first and it was deleted since: the same as deleted after this put.
  if (!object) throw new Error(`object ${key} was deleted while it was stored`);
  return { bytes: object.bytes, sha256: object.sha256 };
};

/** Objects as rows of chunks in a Postgres database of their own. */
export const postgresObjects = (config: PostgresObjectsConfig): ObjectStore => {
  const pools = openPools(config);
  const pool = pools.statements;
  const sql = createSql(pool);
  const put: ObjectStore['put'] = async (key, data, options = {}) => {
    try {
      assertObjectKey(key);
      return await putIn(pools, key, data, options.contentType ?? null);
    } finally {
      if (data instanceof Readable) data.destroy();
    }
  };
  return {
    put,
    putAll: async (objects) => {
      for (const { key } of objects) assertObjectKey(key);
      const [large, small] = [true, false].map((isLarge) =>
        objects.filter(({ data }) => data.length > CHUNK_BYTES === isLarge),
      );
      await Promise.all([
        insertAllSmall(pool, small ?? []),
        ...(large ?? []).map(({ key, data }) => put(key, data)),
      ]);
    },
    get: (key, range) => (range ? objectRange(sql, key, range) : objectStream(sql, key)),
    getBytes: (key) => readBytes(sql, key),
    getAll: (keys) => readAllBytes(sql, keys),
    findExisting: (keys) => findExistingKeys(sql, keys),
    delete: async (key) => {
      await sql('DELETE FROM objects WHERE key = $1', [key]);
    },
    stat: (key) => statIn(sql, key),
    hidden: (prefixes) => findHiddenPrefixes(sql, prefixes),
    close: async () => {
      await Promise.all([pools.statements.end(), pools.uploads.end()]);
    },
  };
};

import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { ask, type BookCheck, type Breach, type Evidence } from './evidence.ts';

/**
 * Of five whole days, so that nothing is being purged. Keys of a slot share a count, so only sums are compared. What has begun for a
 * credit has been counted for certain, and what ended before its turn has not; a read that died before that may be counted still.
 */
const COUNTED = `
  WITH since AS (SELECT (now() AT TIME ZONE 'UTC')::date - 5 AS day),
  counted AS (
    SELECT coalesce(sum(count) FILTER (WHERE scope LIKE 'key:%'), 0)::int AS of_keys,
      coalesce(sum(count) FILTER (WHERE scope = 'pool:global'), 0)::int AS of_all
    FROM cold_counts JOIN since ON cold_counts.day >= since.day)
  SELECT of_keys, of_all, begun, opened FROM counted CROSS JOIN (
    SELECT count(*) FILTER (WHERE fetch_id IS NOT NULL)::int AS begun, count(*) FILTER (WHERE state <> 'cancelled')::int AS opened
    FROM operations JOIN since ON created_at >= since.day::timestamp AT TIME ZONE 'UTC' WHERE ref IS NOT NULL) AS rows`;

type Counts = { of_keys: number; of_all: number; begun: number; opened: number };

export const coldCountsCheck: BookCheck = {
  invariant: 'limits',
  promise: 'every cold fetch is counted, and no more than that',
  check: async ({ rows }) => {
    const [counts] = await rows<Counts>('transcript-fetcher', COUNTED);
    if (!counts) return [];
    const { of_keys: ofKeys, of_all: ofAll, begun, opened } = counts;
    const what = 'counted cold fetches';
    if (ofKeys !== ofAll) {
      const subject = 'cold_counts of all accounts';
      return [{ subject, what, expected: `${ofKeys}, as of all keys`, found: `${ofAll}` }];
    }
    if (ofKeys >= begun && ofKeys <= opened) return [];
    const expected = `${begun} to ${opened}`;
    return [{ subject: 'cold_counts of all keys', what, expected, found: `${ofKeys}` }];
  },
};

const LIMITS = {
  reads: Number(process.env.SLOTS_FOR_READS ?? 32),
  jobs: Number(process.env.SLOTS_FOR_JOBS ?? 24),
};

type Use = { readonly priority: keyof typeof LIMITS; readonly held: number; readonly running: number };

/**
 * The slots that living workers hold, and the most fetches of the last day that ran at once. A fetch leaves its slot before its end is
 * saved, so the last ten seconds of each do not count.
 */
const SLOTS = `
  WITH marks AS (
    SELECT priority, begun_at AS at, 1 AS step FROM fetches WHERE ended_at - begun_at > interval '10 seconds' AND begun_at > now() - interval '1 day'
    UNION ALL
    SELECT priority, ended_at - interval '10 seconds', -1 FROM fetches
    WHERE ended_at - begun_at > interval '10 seconds' AND begun_at > now() - interval '1 day'),
  at_once AS (
    SELECT priority, max(running)::int AS most FROM (
      SELECT priority, sum(step) OVER (PARTITION BY priority ORDER BY at, step) AS running FROM marks) AS each GROUP BY priority)
  SELECT priority, coalesce((SELECT sum((slots ->> priority::text)::int) FROM workers WHERE alive_until > now()), 0)::int AS held,
    coalesce(most, 0) AS running
  FROM unnest(enum_range(NULL::priority)) AS each (priority) LEFT JOIN at_once USING (priority) ORDER BY priority`;

export const slotsCheck: BookCheck = {
  invariant: 'limits',
  promise: 'all instances together fetch no more at once than there are slots',
  check: async ({ rows, atRest }) =>
    (await rows<Use>('transcript-fetcher', SLOTS)).flatMap(({ priority, held, running }) => {
      const limit = LIMITS[priority];
      const subject = `slots for ${priority}`;
      const expected = `${limit} at most`;
      const breaches: Breach[] = [];
      if (held > limit)
        breaches.push({ subject, what: 'slots that living workers hold', expected, found: `${held}` });
      // A damaged system saves ends late: the time that they waited for their database is unknown.
      if (!atRest && running > limit)
        breaches.push({ subject, what: 'fetches at once', expected, found: `${running}` });
      return breaches;
    }),
};

/** Beyond the bounds of the sweeps: 20 seconds of a read that died, 30 of an opening, 10 of a worker, three minutes of a fetch. */
const STUCK = `
  SELECT 'operation ' || id AS subject, 'a read that is being opened' AS what, 'opened at ' || created_at AS found
  FROM operations WHERE state = 'opened' AND created_at < now() - interval '1 minute'
  UNION ALL
  SELECT 'operation ' || o.id, 'the batch of a row that waits for its turn', CASE
    WHEN l.id IS NULL THEN 'none' WHEN l.opening = o.ref THEN 'being opened since ' || o.created_at ELSE l.state || ', not in batch' END
  FROM operations AS o LEFT JOIN batches AS l ON l.id = o.batch_id
  LEFT JOIN turns AS t ON t.account_id = l.account_id AND t.priority = l.priority
  WHERE o.state = 'ready' AND CASE WHEN l.opening = o.ref
    THEN o.created_at < now() - interval '2 minutes'
    ELSE (l.state = 'open' AND l.is_queued AND t.is_queued) IS NOT TRUE END
  UNION ALL
  SELECT 'operation ' || o.id, 'the fetch of a row whose turn has come', coalesce(f.state, 'none')
  FROM operations AS o LEFT JOIN fetches AS f ON f.id = o.fetch_id
  WHERE o.state = 'fetching' AND f.state IS DISTINCT FROM 'open'
  UNION ALL
  SELECT 'fetch ' || f.id, 'the worker of a fetch', coalesce('alive until ' || w.alive_until, 'none')
  FROM fetches AS f LEFT JOIN workers AS w ON w.id = f.worker_id
  WHERE f.state = 'open' AND f.begun_at < now() - interval '30 seconds' AND coalesce(w.alive_until, '-infinity') < now() - interval '30 seconds'
  UNION ALL
  SELECT 'fetch ' || id, 'the end of a fetch', 'begun at ' || begun_at
  FROM fetches WHERE state = 'open' AND begun_at < now() - interval '4 minutes'
  UNION ALL
  SELECT 'due ' || id, 'what the ledger has to learn', 'tried ' || tries || ' times, due at ' || greatest(due_at, lease_until)
  FROM settlements WHERE tries > 6 OR greatest(due_at, lease_until) < now() - interval '2 minutes' OR $1
  LIMIT 100`;

/** Every open row has a schedule or a process that ends it. */
export const openRowsCheck: BookCheck = {
  invariant: 'I4',
  promise: 'every row that is open has a batch, a worker or a time at which it goes on',
  check: (evidence) =>
    ask(evidence, {
      ...{
        service: 'transcript-fetcher',
        sql: STUCK,
        values: [evidence.atRest],
        expected: 'one that gets on',
      },
    }),
};

const DELIVERED = `
  SELECT o.id, o.video_id, t.object_key FROM operations AS o LEFT JOIN transcripts AS t ON t.id = o.transcript_id
  WHERE o.state = 'delivered' AND o.created_at > now() - interval '1 day' ORDER BY o.id`;
const STORED_KEYS = 'SELECT key FROM objects WHERE key = ANY ($1)';

/** A paid transcript must stay readable. */
export const storedDeliveriesCheck: BookCheck = {
  invariant: 'I3',
  promise: 'delivered transcripts are stored',
  check: async ({ rows }) => {
    const delivered = await rows<{ id: string; video_id: string; object_key: string | null }>(
      'transcript-fetcher',
      DELIVERED,
    );
    const keys = [...new Set(delivered.flatMap(({ object_key }) => object_key ?? []))];
    const stored = new Set((await rows<{ key: string }>('objects', STORED_KEYS, [keys])).map(({ key }) => key));
    return delivered
      .filter(({ object_key }) => object_key === null || !stored.has(object_key))
      .map(({ id, video_id, object_key }) => ({
        ...{ subject: `operation ${id}`, what: `cues of ${video_id}` },
        ...{ expected: 'in the object store', found: object_key ?? 'no transcript' },
      }));
  },
};

type StoredObject = { readonly object_key: string; readonly sha256: string };

const SAMPLE = 100;

/** A part of a table, by its ids, another one every hour; all of a small table. */
const buildSample = (columns: string, table: string, id: string): string => {
  const start = `md5(to_char(now(), 'YYYYMMDDHH24'))::uuid`;
  const item = (where: string) =>
    `(SELECT ${columns} FROM ${table} WHERE ${id} ${where} ${start} ORDER BY ${id} LIMIT ${SAMPLE})`;
  return `SELECT * FROM (${item('>=')} UNION ALL ${item('<')}) AS item LIMIT ${SAMPLE}`;
};
const FILES = buildSample('object_key, sha256', 'rendered_files', 'transcript_id');
const CUES = buildSample(`object_key, substr(object_key, length('cues/') + 1) AS sha256`, 'transcripts', 'id');
const BYTES = `
  SELECT key, string_agg(data, ''::bytea ORDER BY seq) AS data FROM object_chunks WHERE key = ANY ($1) GROUP BY key`;

const hashOf = (data: Buffer): string => {
  try {
    return createHash('sha256').update(inflateRawSync(data)).digest('hex');
  } catch {
    return 'unreadable';
  }
};

/** A missing object is the check above, or is rendered again. */
const compare = async ({ rows }: Evidence, stored: readonly StoredObject[]) => {
  const keys = stored.map(({ object_key }) => object_key);
  const blobs = await rows<{ key: string; data: Buffer }>('objects', BYTES, [keys]);
  const hashes = new Map(blobs.map(({ key, data }) => [key, hashOf(data)]));
  return stored.flatMap(({ object_key, sha256 }) => {
    const hash = hashes.get(object_key) ?? sha256;
    const what = 'bytes of a stored object';
    return hash === sha256 ? [] : [{ subject: object_key, what, expected: sha256, found: hash }];
  });
};

export const storedBytesCheck: BookCheck = {
  invariant: 'I3',
  promise: 'stored objects keep their bytes (a hundred files, others every hour)',
  check: async (evidence) => {
    const stored: StoredObject[] = [];
    for (const sql of [FILES, CUES])
      stored.push(...(await evidence.rows<StoredObject>('transcript-fetcher', sql)));
    return await compare(evidence, stored);
  },
};

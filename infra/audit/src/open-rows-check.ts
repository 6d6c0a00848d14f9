import type { BookCheck } from './check.ts';

type Stuck = { readonly subject: string; readonly what: string; readonly found: string };

/** Beyond the bounds of the sweeps: 20 seconds of a read that died, 30 of an opening, 10 of a worker, three minutes of a fetch. */
const STUCK = `
  SELECT 'operation ' || id AS subject, 'a read that is being opened' AS what, 'opened at ' || created_at AS found
  FROM operations WHERE state = 'opened' AND created_at < now() - interval '1 minute'
  UNION ALL
  SELECT 'operation ' || o.id, 'the line of a row that waits for its turn', CASE
    WHEN l.id IS NULL THEN 'none' WHEN l.opening = o.ref THEN 'being opened since ' || o.created_at ELSE l.state || ', not in line' END
  FROM operations AS o LEFT JOIN lines AS l ON l.id = o.line_id
  LEFT JOIN turns AS t ON t.account_id = l.account_id AND t.lane = l.lane
  WHERE o.state = 'ready' AND CASE WHEN l.opening = o.ref
    THEN o.created_at < now() - interval '2 minutes'
    ELSE (l.state = 'open' AND l.in_line AND t.in_line) IS NOT TRUE END
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
  SELECT 'due ' || id, 'what the ledger has to learn', 'tried ' || tries || ' times, due at ' || due_at
  FROM dues WHERE tries > 6 OR due_at < now() - interval '2 minutes' OR $1
  LIMIT 100`;

/** Every open row has a schedule or a process that ends it. */
export const openRowsCheck: BookCheck = {
  invariant: 'I4',
  promise: 'every row that is open has a line, a worker or a moment at which it goes on',
  look: async ({ rows, atRest }) =>
    (await rows<Stuck>('transcript-fetcher', STUCK, [atRest])).map((stuck) => ({
      ...stuck,
      expected: 'one that gets on',
    })),
};

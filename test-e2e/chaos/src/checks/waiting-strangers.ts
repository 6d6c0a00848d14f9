import type { Evidence, Finding } from '@tds/audit';
import { LONG_JOB_ROWS } from '../load/long-jobs.ts';

/** Rows of long jobs that begin together, on two instances and once more. */
const MAX_PASSED = 3 * 24;
/** A database that is away keeps a row from its turn, and not the others that wait for it. */
const SOON = 0.9;

/** Since when the credits of a reservation are held, and since when a job is accepted: before that its rows have no turn. */
const HELD = 'SELECT ref::text AS id, created_at AS at FROM reservations WHERE account_id IS NOT NULL';
const ACCEPTED = 'SELECT id::text AS id, started_at AS at FROM jobs WHERE started_at IS NOT NULL';

/** Of each row of a small job that began once, how many of long jobs that were there before began in front of it, since it could. */
const PASSED = `
  WITH moments AS (SELECT id, max(at) AS at FROM unnest($3::text[], $4::timestamptz[]) AS m (id, at) GROUP BY id),
  sizes AS (SELECT batch_id, count(*) AS rows FROM operations WHERE priority = 'jobs' GROUP BY batch_id),
  begun AS (
    SELECT o.id, o.created_at, f.begun_at, s.rows, greatest(o.created_at, held.at, accepted.at) AS waits_since
    FROM operations AS o JOIN fetches AS f ON f.id = o.fetch_id AND f.losses = 0 JOIN sizes AS s USING (batch_id)
    LEFT JOIN moments AS held ON held.id = o.ref::text LEFT JOIN moments AS accepted ON accepted.id = o.batch_id::text
    WHERE o.priority = 'jobs')
  SELECT count(*)::int AS rows, count(*) FILTER (WHERE passed > $2)::int AS late, coalesce(max(passed), 0)::int AS most FROM (
    SELECT (SELECT count(*) FROM begun AS long WHERE long.rows >= $1 AND long.created_at < small.created_at
      AND long.begun_at >= small.waits_since AND long.begun_at < small.begun_at) AS passed
    FROM begun AS small WHERE small.rows < $1) AS each`;

type Moment = { readonly id: string; readonly at: Date };
type Passed = { readonly rows: number; readonly late: number; readonly most: number };

/** A small job does not wait for the long jobs of another customer, once it may begin. */
export const checkStrangers = async ({ rows }: Evidence): Promise<Finding[]> => {
  const moments = [
    ...(await rows<Moment>('credits-ledger', HELD)),
    ...(await rows<Moment>('bulk-orchestrator', ACCEPTED)),
  ];
  const [passed] = await rows<Passed>('transcript-fetcher', PASSED, [
    ...[LONG_JOB_ROWS / 2, MAX_PASSED],
    ...[moments.map(({ id }) => id), moments.map(({ at }) => at)],
  ]);
  if (!passed || passed.late <= passed.rows * (1 - SOON)) return [];
  return [
    {
      invariant: 'turns',
      subject: `${passed.rows} rows of small jobs`,
      what: `rows before which more than ${MAX_PASSED} of long jobs began`,
      expected: `at most ${((1 - SOON) * 100).toFixed(0)} %`,
      found: `${passed.late}, before one of them ${passed.most}`,
    },
  ];
};

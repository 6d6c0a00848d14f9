import type { Evidence, Finding } from '@tds/audit';
import { LONG_JOB_ROWS } from '../load/long-jobs.ts';

/** Rows of a long job that begin together, and as many again while a small one's credits are asked for. */
const MAX_PASSED = 3 * 24;
/** A ledger or a database that is away keeps a row from its turn, and not the others that have their credits. */
const SOON = 0.8;

/** Of each row of a small job that began once, how many of long jobs that were there before began in front of it. */
const PASSED = `
  WITH sizes AS (SELECT batch_id, count(*) AS rows FROM operations WHERE priority = 'jobs' GROUP BY batch_id),
  begun AS (
    SELECT o.id, o.created_at, f.begun_at, s.rows FROM operations AS o JOIN fetches AS f ON f.id = o.fetch_id AND f.losses = 0
    JOIN sizes AS s USING (batch_id) WHERE o.priority = 'jobs')
  SELECT count(*)::int AS rows, count(*) FILTER (WHERE passed > $2)::int AS late, coalesce(max(passed), 0)::int AS most FROM (
    SELECT (SELECT count(*) FROM begun AS long WHERE long.rows >= $1 AND long.created_at < small.created_at
      AND long.begun_at >= small.created_at AND long.begun_at < small.begun_at) AS passed
    FROM begun AS small WHERE small.rows < $1) AS each`;

type Passed = { readonly rows: number; readonly late: number; readonly most: number };

/** A small job does not wait for the long jobs of another customer. */
export const checkStrangers = async ({ rows }: Evidence): Promise<Finding[]> => {
  const [passed] = await rows<Passed>('transcript-fetcher', PASSED, [LONG_JOB_ROWS / 2, MAX_PASSED]);
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

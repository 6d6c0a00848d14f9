import type { JobCounts, JobCredits, JobRowStatus } from '@tds/contracts';
import type { Database, Tx } from './database.ts';

/** What a job's rows and reservations add up to at one moment. */
export type JobNumbers = { readonly counts: JobCounts; readonly credits: JobCredits };

type Row = {
  readonly jobId: string;
  readonly rows: Readonly<Partial<Record<JobRowStatus, number>>> | null;
  readonly charged: number;
  readonly reserved: number;
};

const nothing: JobCounts = {
  ...{ total: 0, pending: 0, processing: 0, cached: 0, fetched: 0, error: 0, cancelled: 0 },
};

const toNumbers = ({ rows, charged, reserved }: Row): JobNumbers => ({
  counts: {
    ...nothing,
    ...rows,
    total: Object.values(rows ?? {}).reduce((sum, count) => sum + count, 0),
  },
  credits: { reserved: Math.max(reserved, 0), charged },
});

/** Counted anew each time, in one statement: nothing that is kept beside the rows can differ from them. */
export const numbersOf = async (
  db: Database | Tx,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, JobNumbers>> => {
  const found = await db.$queryRaw<Row[]>`
    SELECT asked.id AS "jobId", counted.rows, coalesce(counted.charged, 0)::int AS charged,
      coalesce(held.reserved, 0)::int AS reserved
    FROM unnest(${[...jobIds]}::uuid[]) AS asked (id)
    CROSS JOIN LATERAL (
      SELECT jsonb_object_agg(status, n) AS rows, sum(credits) AS charged FROM (
        SELECT status, count(*) AS n, sum(credits_charged) AS credits
        FROM job_rows WHERE job_id = asked.id GROUP BY status
      ) AS by_status
    ) AS counted
    CROSS JOIN LATERAL (
      SELECT sum(parts - (
        SELECT count(*) FROM job_rows AS r
        WHERE r.job_id = asked.id AND r.round = job_rounds.round AND r.status = 'fetched'
      )) AS reserved
      FROM job_rounds WHERE job_id = asked.id AND state = 'held'
    ) AS held`;
  return new Map(found.map((row) => [row.jobId, toNumbers(row)]));
};

export const numbersOfOne = async (db: Database | Tx, jobId: string): Promise<JobNumbers> =>
  (await numbersOf(db, [jobId])).get(jobId) ?? { counts: nothing, credits: { reserved: 0, charged: 0 } };

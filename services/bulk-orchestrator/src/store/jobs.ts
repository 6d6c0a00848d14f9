import type {
  Job as JobBody,
  JobCounts,
  JobCredits,
  JobRowStatus,
  ListingContents,
  PauseReason,
  Tier,
  TranscriptFormat,
} from '@tds/contracts';
import type { ServiceErrorData } from '@tds/errors';
import type { JobFacts, RowFacts } from '../domain/job-state.ts';
import type { Database, Db } from './database.ts';

/** The sums over a job's rows. A row at the fetcher holds a credit until its end is known. */
export type JobNumbers = RowFacts & { readonly counts: JobCounts; readonly credits: JobCredits };

type NumbersRow = Pick<RowFacts, 'atFetcher' | 'waitingForBroadcast' | 'nextAttemptAt'> & {
  readonly jobId: string;
  readonly rows: Readonly<Partial<Record<JobRowStatus, number>>> | null;
  readonly charged: number;
};

const noCounts: JobCounts = {
  total: 0,
  pending: 0,
  processing: 0,
  cached: 0,
  fetched: 0,
  error: 0,
  cancelled: 0,
};

const toNumbers = ({ jobId: _, rows, charged, ...facts }: NumbersRow): JobNumbers => {
  const total = Object.values(rows ?? {}).reduce((sum, count) => sum + count, 0);
  const counts = { ...noCounts, ...rows, total };
  return {
    ...facts,
    remaining: counts.pending + counts.processing,
    delivered: counts.cached + counts.fetched,
    counts,
    credits: { reserved: facts.atFetcher, charged },
  };
};

/** Counted each time, in one statement, so that no stored sum can differ from the rows. */
export const findNumbers = async (
  db: Db,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, JobNumbers>> => {
  const rows = await db.$queryRaw<NumbersRow[]>`
    SELECT asked.id AS "jobId", counted.*
    FROM unnest(${[...jobIds]}::uuid[]) AS asked (id)
    CROSS JOIN LATERAL (
      SELECT jsonb_object_agg(status, n) AS rows, coalesce(sum(charged), 0)::int AS charged,
        coalesce(sum(at_fetcher), 0)::int AS "atFetcher", coalesce(sum(broadcasts), 0)::int AS "waitingForBroadcast",
        min(next_at) AS "nextAttemptAt"
      FROM (
        SELECT status, count(*) AS n, sum(credits_charged) AS charged, count(operation_id) AS at_fetcher,
          count(*) FILTER (WHERE waiting_for = 'broadcast') AS broadcasts,
          min(coalesce(next_attempt_at, clock_timestamp())) FILTER (WHERE status = 'pending' AND operation_id IS NULL) AS next_at
        FROM job_rows WHERE job_id = asked.id GROUP BY status
      ) AS by_status
    ) AS counted`;
  return new Map(rows.map((row) => [row.jobId, toNumbers(row)]));
};

export const findJobNumbers = async (db: Db, jobId: string): Promise<JobNumbers> =>
  (await findNumbers(db, [jobId])).get(jobId) as JobNumbers;

type StoredJob = Omit<NonNullable<Awaited<ReturnType<Database['job']['findUnique']>>>, 'answer'>;

/** A job without its stored answer, which may be large. */
export type Job = Omit<StoredJob, 'version' | 'batchVersion' | 'webhookVersion' | keyof TypedColumns> &
  TypedColumns;
type TypedColumns = {
  readonly status: JobFacts['status'];
  readonly tier: Tier;
  readonly format: TranscriptFormat;
  readonly pauseReason: PauseReason | null;
  readonly error: Pick<ServiceErrorData, 'errorClass' | 'code'> | null;
  readonly sourceKind: 'video_ids' | 'channel' | 'playlist' | 'list';
  readonly contents: ListingContents;
  readonly metadata: JobBody['metadata'];
  readonly webhookStatus: JobBody['webhook']['status'];
  readonly version: number;
  readonly batchVersion: number;
};

export const toJob = (row: StoredJob): Job => {
  const { version, batchVersion } = row;
  return { ...row, version: Number(version), batchVersion: Number(batchVersion) } as Job;
};

export const findJob = async (db: Db, id: string): Promise<Job | null> => {
  const row = await db.job.findUnique({ where: { id }, omit: { answer: true } });
  return row && toJob(row);
};

/** Null for jobs of other accounts, unknown ones and erased ones. */
export const findOwnJob = async (db: Db, accountId: string, id: string): Promise<Job | null> => {
  const job = await findJob(db, id);
  return job?.accountId === accountId && job.erasedAt === null ? job : null;
};

/** Other changes of the job or its rows wait for the end of this transaction. */
export const lockJob = async (tx: Db, id: string): Promise<Job | null> => {
  const rows = await tx.$queryRaw<{ id: string }[]>`SELECT id FROM jobs WHERE id = ${id}::uuid FOR UPDATE`;
  return rows.length === 0 ? null : findJob(tx, id);
};

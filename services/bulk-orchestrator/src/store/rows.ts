import { mayBeRetried, type RowError, type RowInHand } from '../domain/outcomes.ts';
import type { Database, Tx } from './database.ts';

/** One worker's hold on a job. */
export type Run = { readonly jobId: string; readonly runnerId: string };

export type NewRow = {
  readonly videoId: string;
  readonly title: string | null;
  readonly publishedAt: string | null;
  /** Whether a credit is held for it before it is fetched. */
  readonly isCold: boolean;
};

/** Saves the rows of a job in their order; as one parameter, since Prisma compiles a statement anew for each number of rows. */
export const insertRows = async (tx: Tx, jobId: string, rows: readonly NewRow[]): Promise<void> => {
  const columns = rows.map(({ videoId, title, publishedAt, isCold }, position) => ({
    ...{ position, video_id: videoId, title, published_at: publishedAt, is_cold: isCold },
  }));
  await tx.$executeRaw`
    INSERT INTO job_rows (job_id, position, video_id, title, published_at, is_cold)
    SELECT ${jobId}::uuid, position, video_id, title, published_at, is_cold
    FROM jsonb_to_recordset(${JSON.stringify(columns)}::jsonb) AS given (
      position int, video_id text, title text, published_at text, is_cold boolean
    )`;
};

/** As many rows as a worker takes at once of each kind. */
export type Window = { readonly cold: number; readonly cached: number };

/**
 * What a worker may claim: only while the job is its own, and rows whose credit is held or that need none. Their places are an array,
 * because the planner of a new database would look through all that are due for each row.
 */
export const claimRows = (
  db: Database,
  { jobId, runnerId }: Run,
  { cold, cached }: Window,
  now: Date,
): Promise<RowInHand[]> => db.$queryRaw`
  WITH job AS (
    SELECT id FROM jobs WHERE id = ${jobId}::uuid AND runner_id = ${runnerId}::uuid AND status = 'running'
    FOR NO KEY UPDATE
  ), due AS (
    SELECT position, is_cold, row_number() OVER (PARTITION BY is_cold ORDER BY position) AS nth
    FROM job_rows, job
    WHERE job_id = job.id AND status = 'pending' AND (due_at IS NULL OR due_at <= ${now})
      AND (NOT is_cold OR part IS NOT NULL)
  )
  UPDATE job_rows SET status = 'processing', due_at = NULL,
    operation_id = coalesce(operation_id, gen_random_uuid())
  WHERE job_id = ${jobId}::uuid AND position = ANY (ARRAY(
    SELECT position FROM due WHERE nth <= CASE WHEN due.is_cold THEN ${cold}::int ELSE ${cached}::int END))
  RETURNING position, video_id AS "videoId", operation_id AS "operationId", round, part, tries,
    waiting_since AS "waitingSince"`;

/** What a worker that is gone has left at the fetcher. */
export const rowsInHand = async (db: Database | Tx, jobId: string): Promise<RowInHand[]> =>
  (await db.jobRow.findMany({
    where: { jobId, status: 'processing' },
    select: {
      ...{ position: true, videoId: true, operationId: true, round: true, part: true },
      ...{ tries: true, waitingSince: true },
    },
  })) as RowInHand[];

/** When the next row that waits is due; null where none waits. */
export const nextDueAt = async (db: Database | Tx, jobId: string): Promise<Date | null> => {
  const { _min } = await db.jobRow.aggregate({ where: { jobId, status: 'pending' }, _min: { dueAt: true } });
  return _min.dueAt;
};

/** Rows that have not ended. */
export const countLeft = (db: Database | Tx, jobId: string): Promise<number> =>
  db.jobRow.count({ where: { jobId, status: { in: ['pending', 'processing'] } } });

/** Whether the platform has said anything definite of a row. */
export const isAnswered = async (db: Database, jobId: string): Promise<boolean> => {
  const answered = { OR: [{ status: { in: ['fetched', 'error'] } }, { waitingSince: { not: null } }] };
  return (await db.jobRow.findFirst({ where: { jobId, ...answered }, select: { position: true } })) !== null;
};

/** What nobody has begun will not be begun. */
export const cancelPending = async (tx: Tx, jobId: string): Promise<void> => {
  await tx.jobRow.updateMany({
    where: { jobId, status: 'pending' },
    data: { status: 'cancelled', operationId: null, dueAt: null },
  });
};

/** What has not ended, and was not charged before the job was cancelled. */
export const cancelRest = async (tx: Tx, jobId: string): Promise<void> => {
  await tx.jobRow.updateMany({
    where: { jobId, status: { in: ['pending', 'processing'] } },
    data: { status: 'cancelled', operationId: null, dueAt: null },
  });
};

/** Puts failed rows back, as if they had never been tried; the credits for them are held anew. */
export const requeue = async (tx: Tx, jobId: string, positions: readonly number[]): Promise<void> => {
  await tx.jobRow.updateMany({
    where: { jobId, position: { in: [...positions] } },
    data: {
      ...{ status: 'pending', isCold: true, round: null, part: null, operationId: null },
      ...{ tries: 0, dueAt: null, waitingSince: null },
    },
  });
};

/** Rows that failed with what may end differently another time. */
export const positionsToRetry = async (tx: Tx, jobId: string): Promise<number[]> => {
  const rows = await tx.jobRow.findMany({
    where: { jobId, status: 'error' },
    select: { position: true, error: true },
  });
  return rows.filter(({ error }) => mayBeRetried(error as RowError)).map(({ position }) => position);
};

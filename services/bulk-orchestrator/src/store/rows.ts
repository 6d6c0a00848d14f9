import type { BatchRow } from '@tds/contracts';
import { mayBeRetried, type RowChange, type RowError } from '../domain/outcomes.ts';
import type { Db } from './database.ts';
import { Prisma } from './prisma/client.ts';

export type NewRow = {
  readonly videoId: string;
  readonly title: string | null;
  readonly publishedAt: string | null;
};

/** Saves the rows of a job in order. One parameter, because Prisma prepares a statement per number of rows. */
export const insertRows = async (tx: Db, jobId: string, rows: readonly NewRow[]) => {
  const columns = JSON.stringify(
    rows.map(({ videoId, title, publishedAt }, position) => ({ position, videoId, title, publishedAt })),
  );
  await tx.$executeRaw`
    INSERT INTO job_rows (job_id, position, video_id, title, published_at)
    SELECT ${jobId}::uuid, position, "videoId", title, "publishedAt"
    FROM jsonb_to_recordset(${columns}::jsonb) AS input (position int, "videoId" text, title text, "publishedAt" text)`;
};

const atFetcher = { operationId: { not: null } };
/** Rows that have not begun end or wait without the fetcher. */
const notAtFetcher = { status: 'pending', operationId: null };

/** The rows that the fetcher has or was asked to open. */
export const findRowsAtFetcher = async (db: Db, jobId: string): Promise<BatchRow[]> =>
  (await db.jobRow.findMany({
    where: { jobId, ...atFetcher },
    orderBy: { position: 'asc' },
    select: { operationId: true, position: true, videoId: true, publishedAt: true },
  })) as BatchRow[];

/** New attempts at the rows that were delivered. */
export const repeatDelivered = (db: Db, jobId: string): Promise<BatchRow[]> => db.$queryRaw`
  SELECT gen_random_uuid() AS "operationId", position, video_id AS "videoId", published_at AS "publishedAt" FROM job_rows
  WHERE job_id = ${jobId}::uuid AND delivery IS NOT NULL ORDER BY position`;

/** Saves publish dates of rows, by video. */
export const saveDates = (db: Db, jobId: string, dates: Readonly<Record<string, string>>) =>
  db.$executeRaw`
    UPDATE job_rows SET published_at = known.value FROM jsonb_each_text(${JSON.stringify(dates)}::jsonb) AS known
    WHERE job_id = ${jobId}::uuid AND video_id = known.key AND published_at IS NULL`;

/** Gives each due row an operation. From now on the rows count as at the fetcher. */
export const beginAttempts = (tx: Db, jobId: string, limit: number): Promise<BatchRow[]> => tx.$queryRaw`
  UPDATE job_rows SET operation_id = gen_random_uuid(), waiting_for = NULL, next_attempt_at = NULL
  WHERE job_id = ${jobId}::uuid AND position = ANY (ARRAY(
    SELECT position FROM job_rows
    WHERE job_id = ${jobId}::uuid AND status = 'pending' AND operation_id IS NULL
      AND (next_attempt_at IS NULL OR next_attempt_at <= clock_timestamp())
    ORDER BY position LIMIT ${limit}::int))
  RETURNING operation_id AS "operationId", position, video_id AS "videoId", published_at AS "publishedAt"`;

/** Resets rows that the fetcher did not open. */
export const dropAttempts = (
  tx: Db,
  jobId: string,
  operationIds: readonly string[],
  status: 'pending' | 'cancelled',
) =>
  tx.jobRow.updateMany({
    where: { jobId, operationId: { in: [...operationIds] } },
    data: { operationId: null, status },
  });

/** Cancels rows that have not begun. */
export const cancelRows = (tx: Db, jobId: string) =>
  tx.jobRow.updateMany({
    where: { jobId, ...notAtFetcher },
    data: { status: 'cancelled', waitingFor: null, nextAttemptAt: null },
  });

/** Fails rows that have not begun. A retry of the job may requeue them. */
export const failRows = (tx: Db, jobId: string, error: RowError) =>
  tx.jobRow.updateMany({
    where: { jobId, ...notAtFetcher },
    data: { status: 'error', error, waitingFor: null, nextAttemptAt: null },
  });

/** Requeues failed rows that may succeed. Returns their number. */
export const requeueRows = async (tx: Db, jobId: string): Promise<number> => {
  const failedRows = await tx.jobRow.findMany({
    where: { jobId, status: 'error' },
    select: { position: true, error: true },
  });
  const positions = failedRows
    .filter(({ error }) => mayBeRetried(error as RowError))
    .map(({ position }) => position);
  const { count } = await tx.jobRow.updateMany({
    where: { jobId, position: { in: positions } },
    data: { status: 'pending', tries: 0, waitingSince: null, error: Prisma.DbNull },
  });
  return count;
};

export const findRows = (tx: Db, jobId: string, positions: readonly number[]) =>
  tx.jobRow.findMany({
    where: { jobId, position: { in: [...positions] } },
    select: {
      position: true,
      status: true,
      operationId: true,
      tries: true,
      waitingSince: true,
    },
  });

/** True if the platform has given a definite answer for a row of the job. */
export const isAnswered = async (tx: Db, jobId: string): Promise<boolean> => {
  const filter = { OR: [{ status: { in: ['fetched', 'error'] } }, { waitingSince: { not: null } }] };
  return (await tx.jobRow.findFirst({ where: { jobId, ...filter }, select: { position: true } })) !== null;
};

/** Saves changes of rows. The caller holds the job's lock, so the rows have not changed since. */
export const saveRows = (tx: Db, jobId: string, changes: readonly RowChange[]) =>
  tx.$executeRaw`
    UPDATE job_rows SET status = c.status, operation_id = c."operationId", attempts = job_rows.attempts + c."isAttempt"::int,
      tries = c.tries, waiting_for = c."waitingFor", next_attempt_at = c."nextAttemptAt", waiting_since = c."waitingSince",
      error = c.error, credits_charged = coalesce((c.delivered ->> 'charge')::int, 0), delivery = c.delivered -> 'delivery'
    FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS c (
      position int, status text, "operationId" uuid, "isAttempt" boolean, tries int, "waitingFor" text,
      "nextAttemptAt" timestamptz, "waitingSince" timestamptz, error jsonb, delivered jsonb
    )
    WHERE job_rows.job_id = ${jobId}::uuid AND job_rows.position = c.position`;

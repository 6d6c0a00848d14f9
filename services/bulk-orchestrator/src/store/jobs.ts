import type { PauseReason, ServiceErrorData, Tier, TranscriptFormat } from '@tds/contracts';
import { type JobEvent, type JobState, nextState } from '../domain/job-state.ts';
import type { Trouble } from '../domain/outcomes.ts';
import type { Database, Tx } from './database.ts';
import { Prisma } from './prisma/client.ts';

type Row = NonNullable<Awaited<ReturnType<Database['job']['findUnique']>>>;

export type Job = Omit<Row, 'status' | 'tier' | 'format' | 'pauseReason' | 'error' | 'sourceKind'> & {
  readonly status: JobState['status'];
  readonly tier: Tier;
  readonly format: TranscriptFormat;
  readonly pauseReason: PauseReason | null;
  readonly error: Pick<ServiceErrorData, 'errorClass' | 'code'> | null;
  readonly sourceKind: 'video_ids' | 'channel' | 'playlist' | 'list';
};

export const toJob = (row: Row): Job => row as unknown as Job;

export const findJob = async (db: Database | Tx, id: string): Promise<Job | null> => {
  const row = await db.job.findUnique({ where: { id } });
  return row && toJob(row);
};

/** Null for the jobs of others as for those that nobody has. */
export const findOwnJob = async (db: Database | Tx, accountId: string, id: string): Promise<Job | null> => {
  const job = await findJob(db, id);
  return job?.accountId === accountId ? job : null;
};

export const findByKey = async (
  db: Database | Tx,
  accountId: string,
  idempotencyKey: string,
): Promise<Job | null> => {
  const row = await db.job.findUnique({
    where: { accountId_idempotencyKey: { accountId, idempotencyKey } },
  });
  return row && toJob(row);
};

/** Whoever changes the job or its rows waits for the end of this transaction. */
export const lockJob = async (tx: Tx, id: string): Promise<Job | null> => {
  const found = await tx.$queryRaw<{ id: string }[]>`SELECT id FROM jobs WHERE id = ${id}::uuid FOR UPDATE`;
  return found.length === 0 ? null : findJob(tx, id);
};

type Change = Prisma.JobUpdateInput;

/** Saves what has happened to a job; null where `nextState` says that it changes nothing. */
export const moveJob = async (
  tx: Tx,
  job: Job,
  event: JobEvent,
  change: Change,
  now: Date,
): Promise<Job | null> => {
  const status = nextState(job, event);
  if (status === null) return null;
  const data = { pauseReason: null, resumeAt: null, ...change, status, touchedAt: now };
  const row = await tx.job.update({
    where: { id: job.id },
    data: { ...data, version: { increment: 1 } },
  });
  return toJob(row);
};

/** What an ended job loses that is begun again. */
export const asNew = {
  ...{ error: Prisma.DbNull, finishedAt: null, closedAt: null, runnerId: null },
  ...{ troubleCount: 0, troubleSince: null },
} satisfies Change;

/**
 * A worker takes a job up: whoever worked on it before can save nothing any more. Null where there is nothing to work on.
 */
export const beginRun = async (tx: Tx, id: string, runnerId: string, now: Date): Promise<Job | null> => {
  const job = await lockJob(tx, id);
  if (job === null) return null;
  return moveJob(tx, job, 'begun', { runnerId, startedAt: job.startedAt ?? now }, now);
};

/** The job, locked, if this worker still has it; null where somebody else has taken it, or its owner has cancelled it. */
export const lockOwnRun = async (tx: Tx, id: string, runnerId: string): Promise<Job | null> => {
  const job = await lockJob(tx, id);
  return job?.status === 'running' && job.runnerId === runnerId ? job : null;
};

export const saveTask = async (tx: Tx, id: string, taskId: string): Promise<void> => {
  await tx.job.update({ where: { id }, data: { taskId } });
};

export const saveClosed = async (tx: Tx, id: string, now: Date): Promise<void> => {
  await tx.job.update({ where: { id }, data: { closedAt: now, touchedAt: now, version: { increment: 1 } } });
};

export const troubleOf = ({ troubleCount, troubleSince }: Job): Trouble => ({
  count: troubleCount,
  since: troubleSince,
});

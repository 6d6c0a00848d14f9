import type {
  Job as JobBody,
  ListingContents,
  PauseReason,
  ServiceErrorData,
  Tier,
  TranscriptFormat,
} from '@tds/contracts';
import type { JobState } from '../domain/job-state.ts';
import type { Database, Db } from './database.ts';

type Row = Omit<NonNullable<Awaited<ReturnType<Database['job']['findUnique']>>>, 'answer'>;

/** A job without the answer of its key, which may be large. */
export type Job = Omit<Row, 'version' | 'lineVersion' | 'webhookVersion' | keyof Narrowed> & Narrowed;
type Narrowed = {
  readonly status: JobState['status'];
  readonly tier: Tier;
  readonly format: TranscriptFormat;
  readonly pauseReason: PauseReason | null;
  readonly error: Pick<ServiceErrorData, 'errorClass' | 'code'> | null;
  readonly sourceKind: 'video_ids' | 'channel' | 'playlist' | 'list';
  readonly contents: ListingContents;
  readonly metadata: JobBody['metadata'];
  readonly webhookStatus: JobBody['webhook']['status'];
  readonly version: number;
  readonly lineVersion: number;
};

export const toJob = (row: Row): Job => {
  const { version, lineVersion } = row;
  return { ...row, version: Number(version), lineVersion: Number(lineVersion) } as Job;
};

export const findJob = async (db: Db, id: string): Promise<Job | null> => {
  const row = await db.job.findUnique({ where: { id }, omit: { answer: true } });
  return row && toJob(row);
};

/** Null for the jobs of others as for those that nobody has, or has any more. */
export const findOwnJob = async (db: Db, accountId: string, id: string): Promise<Job | null> => {
  const job = await findJob(db, id);
  return job?.accountId === accountId && job.erasedAt === null ? job : null;
};

/** The database's clock: all times of a job are of one. */
export const databaseNow = async (db: Db): Promise<Date> => {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  return (row as { now: Date }).now;
};

/** Whoever changes the job or its rows waits for the end of this transaction. */
export const lockJob = async (tx: Db, id: string): Promise<Job | null> => {
  const found = await tx.$queryRaw<{ id: string }[]>`SELECT id FROM jobs WHERE id = ${id}::uuid FOR UPDATE`;
  return found.length === 0 ? null : findJob(tx, id);
};

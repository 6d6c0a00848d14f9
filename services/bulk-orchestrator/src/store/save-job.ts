import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { readDatabaseClock } from '@tds/base';
import type { Job as JobBody } from '@tds/contracts';
import { computeDueAt, computeStatus, hasEnded, type JobFacts } from '../domain/job-state.ts';
import type { Database, Db } from './database.ts';
import { toBody, toSummary } from './job-views.ts';
import { findJobNumbers, type Job, type JobNumbers } from './jobs.ts';
import { Prisma } from './prisma/client.ts';

/** Rows of a new job differ in little but their videos: deflating leaves a tenth of the text. */
const packAnswer = (body: JobBody): Uint8Array<ArrayBuffer> =>
  new Uint8Array(deflateRawSync(JSON.stringify(body)));

const unpackAnswer = (bytes: Uint8Array): JobBody => JSON.parse(inflateRawSync(bytes).toString()) as JobBody;

type StoredAnswer = {
  /** The digest of the answered request. */
  readonly requestDigest: string | null;
  /** Null while the request is under way. */
  readonly body: JobBody | null;
};

/** The first answer to the request with this key; its head once the job is erased. */
export const findAnswer = async (
  db: Db,
  accountId: string,
  idempotencyKey: string,
): Promise<StoredAnswer | null> => {
  const row = await db.job.findUnique({
    where: { accountId_idempotencyKey: { accountId, idempotencyKey } },
    select: { requestDigest: true, answer: true },
  });
  return row && { requestDigest: row.requestDigest, body: row.answer && unpackAnswer(row.answer) };
};

/** A change of a job, without the fields that follow from it and from the rows. */
export type Change = Partial<Omit<Job, 'id' | 'startedAt' | 'heardAt' | 'finishedAt' | 'version'>>;
export type SavedJob = { readonly job: Job; readonly numbers: JobNumbers };

const computeFinishedAt = ({ status, finishedAt }: Job, { atFetcher }: JobNumbers, now: Date): Date | null =>
  hasEnded(status) && atFetcher === 0 ? (finishedAt ?? now) : null;

const hasBegun = ({ counts }: JobNumbers): boolean =>
  counts.processing + counts.cached + counts.fetched + counts.error > 0;

/** Every change that ends a job's creation answers its key. */
const isAnswered = (before: Job, { status, idempotencyKey }: Job): boolean =>
  before.status === 'creating' && status !== 'creating' && idempotencyKey !== null;

const pickColumns = ({ status, startedAt, pausedSince, dueAt, heardAt, finishedAt, version }: Job) => ({
  status,
  startedAt,
  pausedSince,
  dueAt,
  heardAt,
  finishedAt,
  version,
});

/**
 * Saves a change of a job or its rows, in the transaction that has locked it. The only place that derives status, times and version.
 */
export const saveJob = async (tx: Db, before: Job, change: Change, now: Date): Promise<SavedJob> => {
  const numbers = await findJobNumbers(tx, before.id);
  const next = { ...before, ...change };
  const startedAt = next.startedAt ?? (hasBegun(numbers) ? now : null);
  // The start of the current pause, whatever its reason.
  const pausedSince = next.pauseReason === null ? null : (next.pausedSince ?? now);
  const withStart: Job = { ...next, startedAt, pausedSince };
  const status: JobFacts['status'] = computeStatus(withStart, numbers);
  const withStatus: Job = { ...withStart, status };
  const job: Job = {
    ...withStatus,
    dueAt: computeDueAt(withStatus, numbers, now),
    heardAt: numbers.atFetcher > 0 ? now : null,
    finishedAt: computeFinishedAt(withStatus, numbers, now),
    version: Math.max(before.version + 1, now.getTime()),
  };
  const answer = isAnswered(before, job) ? await toBody(tx, job, numbers) : null;
  const { error, ...columns } = change;
  const data = {
    ...columns,
    ...(error === undefined ? {} : { error: error ?? Prisma.DbNull }),
    ...(answer === null ? {} : { answer: packAnswer(answer) }),
    ...pickColumns(job),
    leaseUntil: null,
  };
  await tx.job.update({ where: { id: job.id }, data, select: { id: true } });
  return { job, numbers };
};

/** Deletes the rows of an ended job and its owner's texts. The head stays as the answer of its key. */
export const eraseJob = async (tx: Db, job: Job) => {
  const { id, idempotencyKey } = job;
  const blankFields = { name: null, metadata: {}, sourceInput: null, webhookUrl: null };
  const head = toSummary({ ...job, ...blankFields }, await findJobNumbers(tx, id));
  await tx.jobRow.deleteMany({ where: { jobId: id } });
  const answer = idempotencyKey === null ? null : packAnswer({ ...head, videos: [] });
  await tx.job.update({
    where: { id },
    data: { ...blankFields, answer, erasedAt: await readDatabaseClock(tx) },
    select: { id: true },
  });
};

/** Jobs that ended that many days ago and are not erased. */
export const findOldJobs = async (db: Database, days: number, limit: number): Promise<string[]> => {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM jobs
    WHERE finished_at < now() - ${days} * interval '1 day' AND erased_at IS NULL
    ORDER BY finished_at LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
};

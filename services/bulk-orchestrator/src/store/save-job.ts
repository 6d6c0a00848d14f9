import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Job as JobBody } from '@tds/contracts';
import { dueAtOf, hasEnded, type JobState, statusOf } from '../domain/job-state.ts';
import type { Database, Db } from './database.ts';
import { toBody, toSummary } from './job-views.ts';
import { databaseNow, type Job, type JobNumbers, numbersOfOne } from './jobs.ts';
import { Prisma } from './prisma/client.ts';

/** Rows of a job that has just begun differ in little else than their videos: a tenth of the text is left. */
const packAnswer = (body: JobBody): Uint8Array<ArrayBuffer> =>
  new Uint8Array(deflateRawSync(JSON.stringify(body)));

const unpackAnswer = (packed: Uint8Array): JobBody =>
  JSON.parse(inflateRawSync(packed).toString()) as JobBody;

type Answer = {
  /** Of the request that was answered. */
  readonly requestDigest: string | null;
  /** Null while it still is being answered. */
  readonly body: JobBody | null;
};

/** What the request with this key was answered first, or, once the job is erased, what is left of that. */
export const findAnswer = async (
  db: Db,
  accountId: string,
  idempotencyKey: string,
): Promise<Answer | null> => {
  const found = await db.job.findUnique({
    where: { accountId_idempotencyKey: { accountId, idempotencyKey } },
    select: { requestDigest: true, answer: true },
  });
  return found && { requestDigest: found.requestDigest, body: found.answer && unpackAnswer(found.answer) };
};

/** What happens to a job; what follows from it and from its rows is not given. */
export type Change = Partial<
  Pick<
    Job,
    | 'status'
    | 'error'
    | 'pauseReason'
    | 'pausedSince'
    | 'lookAt'
    | 'keyId'
    | 'limitId'
    | 'tier'
    | 'isListed'
    | 'sourceKind'
    | 'openingId'
    | 'isForgotten'
    | 'dueAt'
    | 'lineVersion'
    | 'linePosition'
    | 'troubleCount'
    | 'troubleSince'
  >
>;
export type Saved = { readonly job: Job; readonly numbers: JobNumbers };

/** Until when a paused job has been so, whatever for. */
const pausedSinceOf = ({ pauseReason, pausedSince }: Job, now: Date): Date | null =>
  pauseReason === null ? null : (pausedSince ?? now);

const finishedAtOf = ({ status, finishedAt }: Job, { atFetcher }: JobNumbers, now: Date): Date | null =>
  hasEnded(status) && atFetcher === 0 ? (finishedAt ?? now) : null;

const hasBegun = ({ counts }: JobNumbers): boolean =>
  counts.processing + counts.cached + counts.fetched + counts.error > 0;

/** Whatever takes a job out of its creation answers its key. */
const isAnswered = (before: Job, { status, idempotencyKey }: Job): boolean =>
  before.status === 'creating' && status !== 'creating' && idempotencyKey !== null;

/** What follows from a change. */
const movedOf = ({ status, startedAt, pausedSince, dueAt, heardAt, finishedAt, version }: Job) => ({
  status,
  startedAt,
  pausedSince,
  dueAt,
  heardAt,
  finishedAt,
  version,
});

/**
 * The job after a change of it or of its rows, in the transaction that has locked it: status, times and version follow from the two
 * here and nowhere else.
 */
export const saveJob = async (tx: Db, before: Job, change: Change, now: Date): Promise<Saved> => {
  const numbers = await numbersOfOne(tx, before.id);
  const given = { ...before, ...change };
  const startedAt = given.startedAt ?? (hasBegun(numbers) ? now : null);
  const begun: Job = { ...given, startedAt, pausedSince: pausedSinceOf(given, now) };
  const status: JobState['status'] = statusOf(begun, numbers);
  const moved: Job = { ...begun, status };
  const job: Job = {
    ...moved,
    dueAt: dueAtOf(moved, numbers, now),
    heardAt: numbers.atFetcher > 0 ? now : null,
    finishedAt: finishedAtOf(moved, numbers, now),
    version: Math.max(before.version + 1, now.getTime()),
  };
  const answer = isAnswered(before, job) ? await toBody(tx, job, numbers) : null;
  const { error, ...columns } = change;
  const data = {
    ...columns,
    ...(error === undefined ? {} : { error: error ?? Prisma.DbNull }),
    ...(answer === null ? {} : { answer: packAnswer(answer) }),
    ...movedOf(job),
  };
  await tx.job.update({ where: { id: job.id }, data, select: { id: true } });
  return { job, numbers };
};

/** Deletes the rows of a job that has ended, and what its owner wrote. Its key is answered with the head that is left. */
export const eraseJob = async (tx: Db, job: Job): Promise<void> => {
  const { id, idempotencyKey } = job;
  const erased = { name: null, metadata: {}, sourceInput: null, webhookUrl: null };
  const head = toSummary({ ...job, ...erased }, await numbersOfOne(tx, id));
  await tx.jobRow.deleteMany({ where: { jobId: id } });
  const answer = idempotencyKey === null ? null : packAnswer({ ...head, videos: [] });
  await tx.job.update({
    where: { id },
    data: { ...erased, answer, erasedAt: await databaseNow(tx) },
    select: { id: true },
  });
};

/** Jobs that ended so many days ago and have not been erased. */
export const oldJobs = async (db: Database, days: number, limit: number): Promise<string[]> => {
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM jobs
    WHERE finished_at < now() - ${days} * interval '1 day' AND erased_at IS NULL
    ORDER BY finished_at LIMIT ${limit}::int`;
  return found.map(({ id }) => id);
};

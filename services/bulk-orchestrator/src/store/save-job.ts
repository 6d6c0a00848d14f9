import { dueAtOf, hasEnded, type JobState, statusOf } from '../domain/job-state.ts';
import { packAnswer } from './answers.ts';
import type { Db } from './database.ts';
import { type JobNumbers, numbersOfOne } from './job-numbers.ts';
import { toBody } from './job-views.ts';
import type { Job } from './jobs.ts';
import { Prisma } from './prisma/client.ts';

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

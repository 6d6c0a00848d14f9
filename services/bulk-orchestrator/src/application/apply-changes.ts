import { randomUUID } from 'node:crypto';
import { failureFields } from '@tds/base';
import {
  type BatchChange,
  type ChangeCursor,
  MAX_BATCH_ROWS,
  type ReplyOf,
  transcriptFetcher,
} from '@tds/contracts';
import type { CallContext } from '@tds/kit';
import { crashPoint } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { hasEnded } from '../domain/job-state.ts';
import { matchChanges } from '../domain/match-changes.ts';
import { type Evaluation, evaluate } from '../domain/outcomes.ts';
import { beginReading, endReading, wakeForCredits } from '../store/clocks.ts';
import { findJob, findJobNumbers, type Job } from '../store/jobs.ts';
import { findRows, isAnswered, saveRows } from '../store/rows.ts';
import type { SavedJob } from '../store/save-job.ts';
import {
  asPaused,
  cancelLockedJob,
  changeJob,
  enqueuePause,
  forgetBatch,
  type JobLock,
  save,
} from './change-job.ts';
import { createPulse } from './progress.ts';

/** A reader that died keeps hints from being followed for this long; comparisons read meanwhile. */
const READING_MS = 10_000;

type Changes = ReplyOf<typeof transcriptFetcher.readChanges>;

const isSameCursor = (one: Job, other: Job): boolean =>
  one.batchVersion === other.batchVersion && one.batchPosition === other.batchPosition;

const isBeyond = (one: ChangeCursor, other: ChangeCursor): boolean =>
  one.version > other.version || (one.version === other.version && one.position > other.position);

/** Saves changes with their cursor. Returns null if another reader has saved them. */
const saveChanges = async (
  lock: JobLock,
  previous: Job,
  { rows, upTo }: Changes,
): Promise<(SavedJob & Pick<Evaluation, 'changes'>) | null> => {
  const { tx, send, job, now } = lock;
  if (!isSameCursor(job, previous)) return null;
  const positions = rows.map(({ position }) => position);
  const isOver = hasEnded(job.status);
  const { movedRows, endedRows } = matchChanges(await findRows(tx, job.id, positions), rows, isOver);
  const evaluated = evaluate(endedRows, {
    trouble: { count: job.troubleCount, since: job.troubleSince },
    rowsLeft: (await findJobNumbers(tx, job.id)).remaining,
    isAnswered: await isAnswered(tx, job.id),
    isAutomatic: job.monitorId !== null,
    isOver,
    now,
  });
  await saveRows(tx, job.id, [...movedRows, ...evaluated.changes]);
  if (evaluated.pause) await enqueuePause(send, job.id);
  const saved = await save(lock, {
    batchVersion: upTo.version,
    batchPosition: upTo.position,
    troubleCount: evaluated.trouble.count,
    troubleSince: evaluated.trouble.since,
    ...(evaluated.pause && asPaused(job, evaluated.pause)),
  });
  return { ...saved, changes: evaluated.changes };
};

/** Compares job and batch for what one of the two databases has lost. */
const compareBatch = async (deps: Deps, job: Job, batch: Changes['batch']) => {
  if (job.status === 'creating' || job.openingId !== null) return;
  const isForgotten = batch === null || batch.version < job.batchVersion;
  if (isForgotten) await changeJob(deps, job.id, forgetBatch);
  else if (batch.state === 'stopped') await changeJob(deps, job.id, cancelLockedJob);
  const isUnheard = job.status === 'cancelled' && batch !== null && batch.state !== 'stopped';
  if (isUnheard) await deps.messaging.transaction(deps.db, (_tx, send) => enqueuePause(send, job.id));
};

/** True if these are all changes that the batch had. */
const isComplete = ({ batch, upTo }: Changes): boolean =>
  upTo.position === MAX_BATCH_ROWS && upTo.version === batch?.version;

/** True if the row's held credit is free again. */
const freesCredits = (change: BatchChange): boolean =>
  change.state === 'failed' ||
  change.state === 'cancelled' ||
  (change.state === 'delivered' && change.charge === 0 && change.cache === 'HIT');

/** Reads and saves all changes of a job. Of several readers of the same changes one saves them. */
export const applyChanges = async (deps: Deps, jobId: string, context: CallContext) => {
  for (;;) {
    const job = await findJob(deps.db, jobId);
    if (job === null || job.erasedAt !== null) return;
    const after = { version: job.batchVersion, position: job.batchPosition };
    const changes = await deps.call(transcriptFetcher.readChanges, { batchId: jobId, after }, context);
    crashPoint('job-changes-read');
    if (!isBeyond(changes.upTo, after)) return compareBatch(deps, job, changes.batch);
    const saved = await changeJob(deps, jobId, (lock) => saveChanges(lock, job, changes));
    crashPoint('job-changes-saved');
    if (saved) deps.countRows(saved.changes);
    if (saved && changes.rows.some(freesCredits)) await wakeForCredits(deps.db, job.accountId);
    // Newer changes have a hint of their own.
    if (saved && isComplete(changes)) return compareBatch(deps, saved.job, changes.batch);
  }
};

/** Reads the changes that all instances have heard of, unless another one is reading: that one hears of them, too, and reads again. */
const applySharedChanges: typeof applyChanges = async (deps, jobId, context) => {
  const until = await beginReading(deps.db, jobId, READING_MS);
  if (until === null) return;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(READING_MS)]);
  try {
    await applyChanges(deps, jobId, { ...context, signal });
  } finally {
    await endReading(deps.db, jobId, until);
  }
};

/** Pauses the batch of a cancelled or paused job, and saves the resulting changes. */
export const pauseBatch = async (deps: Deps, jobId: string, context: CallContext) => {
  const job = await findJob(deps.db, jobId);
  if (job === null) return;
  const isCancelled = job.status === 'cancelled';
  if (!isCancelled && job.pauseReason === null) return;
  const as = isCancelled ? 'stopped' : 'held';
  await deps.call(transcriptFetcher.pauseBatch, { batchId: jobId, accountId: job.accountId, as }, context);
  await applyChanges(deps, jobId, context);
};

/** Reads changes after hints, a few times a second per job at most. `compareBatches` finds what is missed or fails. */
export const createChanges = (deps: () => Deps, everyMs: number) => {
  const pulse = createPulse(everyMs);
  const stopping = new AbortController();
  /** Reads up to the version. Skips a job in creation, whose creation reads its changes. */
  const readUpTo = async (jobId: string, version: number, take: typeof applyChanges): Promise<void> => {
    const { db, log } = deps();
    const context: CallContext = { requestId: randomUUID(), accountId: null, signal: stopping.signal };
    try {
      const job = await findJob(db, jobId);
      if (job === null || job.status === 'creating' || job.batchVersion >= version) return;
      await take(deps(), jobId, context);
    } catch (error) {
      if (!stopping.signal.aborted)
        log.warn('reading the changes of a job failed', { jobId, ...failureFields(error) });
    }
  };
  return {
    hear: (jobId: string, version: number, isOver = false) =>
      pulse.beat(jobId, () => readUpTo(jobId, version, applySharedChanges), isOver),
    read: (jobId: string, version: number) => pulse.beat(jobId, () => readUpTo(jobId, version, applyChanges)),
    stop: () => {
      stopping.abort();
      pulse.stop();
    },
  };
};

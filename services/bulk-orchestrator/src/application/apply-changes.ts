import { randomUUID } from 'node:crypto';
import { failureFields } from '@tds/base';
import {
  type BatchChange,
  type ChangeCursor,
  MAX_LINE_ROWS,
  type ReplyOf,
  transcriptFetcher,
} from '@tds/contracts';
import { crashPoint } from '@tds/messaging';
import type { CallContext, Deps } from '../deps.ts';
import { hasEnded } from '../domain/job-state.ts';
import { matchChanges } from '../domain/match-changes.ts';
import { type Judgement, judge } from '../domain/outcomes.ts';
import { beginReading, endReading, wakeForCredits } from '../store/clocks.ts';
import { findJob, findJobNumbers, type Job } from '../store/jobs.ts';
import { findRows, isAnswered, saveRows } from '../store/rows.ts';
import type { SavedJob } from '../store/save-job.ts';
import {
  asPaused,
  cancelLockedJob,
  changeJob,
  enqueueHalt,
  forgetLine,
  type JobLock,
  save,
} from './change-job.ts';
import { createPulse } from './progress.ts';

/** A reader that died keeps hints from being followed for this long; comparisons read meanwhile. */
const READING_MS = 10_000;

type Changes = ReplyOf<typeof transcriptFetcher.readChanges>;

const isSameCursor = (one: Job, other: Job): boolean =>
  one.lineVersion === other.lineVersion && one.linePosition === other.linePosition;

const isBeyond = (one: ChangeCursor, other: ChangeCursor): boolean =>
  one.version > other.version || (one.version === other.version && one.position > other.position);

/** Saves changes with their cursor. Returns null if another reader has saved them. */
const saveChanges = async (
  lock: JobLock,
  previous: Job,
  { rows, upTo }: Changes,
): Promise<(SavedJob & Pick<Judgement, 'changes'>) | null> => {
  const { tx, send, job, now } = lock;
  if (!isSameCursor(job, previous)) return null;
  const positions = rows.map(({ position }) => position);
  const isOver = hasEnded(job.status);
  const { movedRows, endedRows } = matchChanges(await findRows(tx, job.id, positions), rows, isOver);
  const judged = judge(endedRows, {
    trouble: { count: job.troubleCount, since: job.troubleSince },
    rowsLeft: (await findJobNumbers(tx, job.id)).remaining,
    isAnswered: await isAnswered(tx, job.id),
    isOver,
    now,
  });
  await saveRows(tx, job.id, [...movedRows, ...judged.changes]);
  if (judged.pause) await enqueueHalt(send, job.id);
  const saved = await save(lock, {
    lineVersion: upTo.version,
    linePosition: upTo.position,
    troubleCount: judged.trouble.count,
    troubleSince: judged.trouble.since,
    ...(judged.pause && asPaused(job, judged.pause)),
  });
  return { ...saved, changes: judged.changes };
};

/** Compares job and line for what one of the two databases has lost. */
const compareLine = async (deps: Deps, job: Job, line: Changes['line']): Promise<void> => {
  if (job.status === 'creating' || job.openingId !== null) return;
  const isForgotten = line === null || line.version < job.lineVersion;
  if (isForgotten) await changeJob(deps, job.id, forgetLine);
  else if (line.state === 'stopped') await changeJob(deps, job.id, cancelLockedJob);
  const isUnheard = job.status === 'cancelled' && line !== null && line.state !== 'stopped';
  if (isUnheard) await deps.messaging.transaction(deps.db, (_tx, send) => enqueueHalt(send, job.id));
};

/** True if these are all changes that the line had. */
const isComplete = ({ line, upTo }: Changes): boolean =>
  upTo.position === MAX_LINE_ROWS && upTo.version === line?.version;

/** True if the row's held credit is free again. */
const freesCredits = (change: BatchChange): boolean =>
  change.state === 'failed' ||
  change.state === 'cancelled' ||
  (change.state === 'delivered' && change.charge === 0 && change.cache === 'HIT');

/** Reads and saves all changes of a job. Of several readers of the same changes one saves them. */
export const applyChanges = async (deps: Deps, jobId: string, context: CallContext): Promise<void> => {
  for (;;) {
    const job = await findJob(deps.db, jobId);
    if (job === null || job.erasedAt !== null) return;
    const after = { version: job.lineVersion, position: job.linePosition };
    const changes = await deps.call(transcriptFetcher.readChanges, { lineId: jobId, after }, context);
    crashPoint('job-changes-read');
    if (!isBeyond(changes.upTo, after)) return compareLine(deps, job, changes.line);
    const saved = await changeJob(deps, jobId, (lock) => saveChanges(lock, job, changes));
    crashPoint('job-changes-saved');
    if (saved) deps.countRows(saved.changes);
    if (saved && changes.rows.some(freesCredits)) await wakeForCredits(deps.db, job.accountId);
    // Newer changes have a hint of their own.
    if (saved && isComplete(changes)) return compareLine(deps, saved.job, changes.line);
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

/** Halts the line of a cancelled or paused job, and saves the resulting changes. */
export const haltLine = async (deps: Deps, jobId: string, context: CallContext): Promise<void> => {
  const job = await findJob(deps.db, jobId);
  if (job === null) return;
  const isCancelled = job.status === 'cancelled';
  if (!isCancelled && job.pauseReason === null) return;
  const as = isCancelled ? 'stopped' : 'held';
  await deps.call(transcriptFetcher.haltLine, { lineId: jobId, accountId: job.accountId, as }, context);
  await applyChanges(deps, jobId, context);
};

/** Reads changes after hints, a few times a second per job at most. `compareLines` finds what is missed or fails. */
export const createChanges = (deps: () => Deps, everyMs: number) => {
  const pulse = createPulse(everyMs);
  const stopping = new AbortController();
  /** Reads up to the version. Skips a job in creation, whose creation reads its changes. */
  const readUpTo = async (jobId: string, version: number, take: typeof applyChanges): Promise<void> => {
    const { db, log } = deps();
    const context: CallContext = { requestId: randomUUID(), accountId: null, signal: stopping.signal };
    try {
      const job = await findJob(db, jobId);
      if (job === null || job.status === 'creating' || job.lineVersion >= version) return;
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

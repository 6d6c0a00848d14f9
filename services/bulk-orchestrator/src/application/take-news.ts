import { randomUUID } from 'node:crypto';
import { failureFields } from '@tds/base';
import {
  MAX_LINE_ROWS,
  type NewsCursor,
  type ReplyOf,
  type RowNews,
  transcriptFetcher,
} from '@tds/contracts';
import { crashPoint } from '@tds/messaging';
import type { CallContext, Deps } from '../deps.ts';
import { hasEnded } from '../domain/job-state.ts';
import { matchNews } from '../domain/match-news.ts';
import { type Judgement, judge } from '../domain/outcomes.ts';
import { beginReading, endReading, wakeForCredits } from '../store/clocks.ts';
import { findJob, type Job, numbersOfOne } from '../store/jobs.ts';
import { findRows, isAnswered, saveRows } from '../store/rows.ts';
import type { Saved } from '../store/save-job.ts';
import { asPaused, cancelLocked, changeJob, forgetLine, haltLater, type Locked, save } from './change-job.ts';
import { createPulse } from './progress.ts';

/** A reader that died keeps hints from being followed for this long; comparisons read meanwhile. */
const READING_MS = 10_000;

type News = ReplyOf<typeof transcriptFetcher.readNews>;

const isSameCursor = (one: Job, other: Job): boolean =>
  one.lineVersion === other.lineVersion && one.linePosition === other.linePosition;

const isBeyond = (one: NewsCursor, other: NewsCursor): boolean =>
  one.version > other.version || (one.version === other.version && one.position > other.position);

/** Saves news with their cursor. Returns null if another reader has saved them. */
const saveNews = async (
  locked: Locked,
  asked: Job,
  { rows, upTo }: News,
): Promise<(Saved & Pick<Judgement, 'changes'>) | null> => {
  const { tx, send, job, now } = locked;
  if (!isSameCursor(job, asked)) return null;
  const positions = rows.map(({ position }) => position);
  const isOver = hasEnded(job.status);
  const { moved, ended } = matchNews(await findRows(tx, job.id, positions), rows, isOver);
  const judged = judge(ended, {
    trouble: { count: job.troubleCount, since: job.troubleSince },
    rowsLeft: (await numbersOfOne(tx, job.id)).left,
    isAnswered: await isAnswered(tx, job.id),
    isOver,
    now,
  });
  await saveRows(tx, job.id, [...moved, ...judged.changes]);
  if (judged.pause) await haltLater(send, job.id);
  const saved = await save(locked, {
    lineVersion: upTo.version,
    linePosition: upTo.position,
    troubleCount: judged.trouble.count,
    troubleSince: judged.trouble.since,
    ...(judged.pause && asPaused(job, judged.pause)),
  });
  return { ...saved, changes: judged.changes };
};

/** Compares job and line for what one of the two databases has lost. */
const compareLine = async (deps: Deps, job: Job, line: News['line']): Promise<void> => {
  if (job.status === 'creating' || job.openingId !== null) return;
  const isForgotten = line === null || line.version < job.lineVersion;
  if (isForgotten) await changeJob(deps, job.id, forgetLine);
  else if (line.state === 'stopped') await changeJob(deps, job.id, cancelLocked);
  const isUnheard = job.status === 'cancelled' && line !== null && line.state !== 'stopped';
  if (isUnheard) await deps.messaging.transaction(deps.db, (_tx, send) => haltLater(send, job.id));
};

/** True if these are all news that the line had. */
const isAll = ({ line, upTo }: News): boolean =>
  upTo.position === MAX_LINE_ROWS && upTo.version === line?.version;

/** True if the row's held credit is free again. */
const isFreed = (news: RowNews): boolean =>
  news.state === 'failed' ||
  news.state === 'cancelled' ||
  (news.state === 'delivered' && news.charge === 0 && news.cache === 'HIT');

/** Reads and saves all news of a job. Of several readers of the same news one saves them. */
export const takeNews = async (deps: Deps, jobId: string, context: CallContext): Promise<void> => {
  for (;;) {
    const job = await findJob(deps.db, jobId);
    if (job === null || job.erasedAt !== null) return;
    const after = { version: job.lineVersion, position: job.linePosition };
    const news = await deps.call(transcriptFetcher.readNews, { lineId: jobId, after }, context);
    crashPoint('job-news-read');
    if (!isBeyond(news.upTo, after)) return compareLine(deps, job, news.line);
    const saved = await changeJob(deps, jobId, (locked) => saveNews(locked, job, news));
    crashPoint('job-news-saved');
    if (saved) deps.countRows(saved.changes);
    if (saved && news.rows.some(isFreed)) await wakeForCredits(deps.db, job.accountId);
    // Newer news have a hint of their own.
    if (saved && isAll(news)) return compareLine(deps, saved.job, news.line);
  }
};

/** Reads the news that all instances have heard of, unless another one is reading: that one hears of them, too, and reads again. */
const takeSharedNews: typeof takeNews = async (deps, jobId, context) => {
  const until = await beginReading(deps.db, jobId, READING_MS);
  if (until === null) return;
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(READING_MS)]);
  try {
    await takeNews(deps, jobId, { ...context, signal });
  } finally {
    await endReading(deps.db, jobId, until);
  }
};

/** Halts the line of a cancelled or paused job, and saves the resulting news. */
export const haltLine = async (deps: Deps, jobId: string, context: CallContext): Promise<void> => {
  const job = await findJob(deps.db, jobId);
  if (job === null) return;
  const isCancelled = job.status === 'cancelled';
  if (!isCancelled && job.pauseReason === null) return;
  const as = isCancelled ? 'stopped' : 'held';
  await deps.call(transcriptFetcher.haltLine, { lineId: jobId, accountId: job.accountId, as }, context);
  await takeNews(deps, jobId, context);
};

/** Reads news after hints, a few times a second per job at most. `compareLines` finds what is missed or fails. */
export const createNews = (deps: () => Deps, everyMs: number) => {
  const pulse = createPulse(everyMs);
  const stopping = new AbortController();
  /** Reads up to the version. Skips a job in creation, whose creation reads its news. */
  const readUpTo = async (jobId: string, version: number, take: typeof takeNews): Promise<void> => {
    const { db, log } = deps();
    const context: CallContext = { requestId: randomUUID(), accountId: null, signal: stopping.signal };
    try {
      const job = await findJob(db, jobId);
      if (job === null || job.status === 'creating' || job.lineVersion >= version) return;
      await take(deps(), jobId, context);
    } catch (error) {
      if (!stopping.signal.aborted)
        log.warn('reading the news of a job failed', { jobId, ...failureFields(error) });
    }
  };
  return {
    hear: (jobId: string, version: number, isOver = false) =>
      pulse.beat(jobId, () => readUpTo(jobId, version, takeSharedNews), isOver),
    read: (jobId: string, version: number) => pulse.beat(jobId, () => readUpTo(jobId, version, takeNews)),
    stop: () => {
      stopping.abort();
      pulse.stop();
    },
  };
};

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { bulkOrchestrator, hasJobEnded } from '@tds/contracts';
import type { Call } from '@tds/service-kit';
import type { MonotonicClock } from '../admission/redis-guard.ts';
import type { Surface } from '../surface.ts';
import { jobEvent, progressOf } from './job-event.ts';

/** Hints of so long are one look at the job. */
const COALESCED_MS = 500;
const CALL_MS = 3_000;

export type Stream = {
  readonly response: ServerResponse;
  readonly endsAt: number;
  /** When it is sent something however little there is to say. */
  beatAt: number;
};

/** A job that somebody looks at here, once for all of its streams. */
export type Watch = {
  readonly jobId: string;
  readonly accountId: string;
  readonly streams: Set<Stream>;
  version: number;
  /** What was said last. */
  progress: string;
  lookedAt: number;
  timer: NodeJS.Timeout | null;
};

/** Nobody who does not read what comes twice a second is waited for: it would be kept in memory. */
export const send = ({ response }: Stream, text: string): void => {
  if (response.writableNeedDrain) response.destroy();
  else response.write(text);
};

type WatchParts = {
  readonly call: Call<Surface>;
  readonly clock: MonotonicClock;
  /** The job has ended. */
  readonly onEnd: (watch: Watch) => void;
};

/**
 * Looks at a job, and sends what is new to all of its streams: now, or in a moment, once however often it is asked to until then.
 */
export const createLooks = ({ call, clock, onEnd }: WatchParts) => {
  const look = async (watch: Watch): Promise<void> => {
    const { jobId, accountId } = watch;
    watch.lookedAt = clock();
    const context = { requestId: randomUUID(), accountId, signal: AbortSignal.timeout(CALL_MS) };
    const { job, version } = await call(bulkOrchestrator.getJobSummary, { accountId, jobId }, context);
    if (version <= watch.version) return;
    watch.version = version;
    const progress = progressOf(job);
    // A change of what streams do not tell is no news to them.
    if (progress !== watch.progress) {
      watch.progress = progress;
      for (const stream of watch.streams) send(stream, jobEvent(progress, version));
    }
    if (hasJobEnded(job)) onEnd(watch);
  };
  const lookNow = (watch: Watch): void => {
    clearTimeout(watch.timer ?? undefined);
    watch.timer = null;
    // If nobody can tell, the next hint looks again, or the next tick.
    look(watch).catch(() => undefined);
  };
  return {
    lookNow,
    lookSoon: (watch: Watch): void => {
      watch.timer ??= setTimeout(lookNow, COALESCED_MS, watch);
    },
  };
};

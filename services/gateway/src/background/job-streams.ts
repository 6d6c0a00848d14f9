import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { bulkOrchestrator, hasJobEnded, type JobSummary, serviceError } from '@tds/contracts';
import { jobProgress } from '@tds/http-api';
import type { Call } from '@tds/service-kit';
import type { MonotonicClock } from '../admission/redis-guard.ts';
import type { Surface } from '../surface.ts';

/** Asked of clients (specification, part 6). */
const RECONNECT_MS = 10_000;

/** What streams say of a job: the whole progress, so that none needs what came before. */
export const progressOf = (job: JobSummary): string => JSON.stringify(jobProgress.parse(job));

/** One event of a progress stream. */
const jobEvent = (progress: string, version: number): string =>
  `id: ${version}\nevent: job\ndata: ${progress}\n\n`;

/** What a stream begins with; a reader who knows the version already is only told when to come back. */
export const firstEvent = (progress: string, version: number, isKnown: boolean): string =>
  `retry: ${RECONNECT_MS}\n${isKnown ? '\n' : jobEvent(progress, version)}`;

/** Hints of so long are one look at the job. */
const COALESCED_MS = 500;
const CALL_MS = 3_000;

type Stream = {
  readonly response: ServerResponse;
  readonly endsAt: number;
  /** When it is sent something however little there is to say. */
  beatAt: number;
};

/** A job that somebody looks at here, once for all of its streams. */
type Watch = {
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
const send = ({ response }: Stream, text: string): void => {
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
const createLooks = ({ call, clock, onEnd }: WatchParts) => {
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

/** Streams of one key at a time, or of the sessions of an account. */
export const MOST_STREAMS = 10;
const RETRY_AFTER_SECONDS = 10;

/** Takes one of the holder's places; the result gives it back, once however often it is called. Throws `stream_cap`. */
const createPlaces = () => {
  const taken = new Map<string, number>();
  return (holder: string): (() => void) => {
    const before = taken.get(holder) ?? 0;
    if (before >= MOST_STREAMS) throw serviceError('stream_cap', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    taken.set(holder, before + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = (taken.get(holder) ?? 1) - 1;
      if (left > 0) taken.set(holder, left);
      else taken.delete(holder);
    };
  };
};

/** Hints may be lost. */
const LOOK_EVERY_MS = 5_000;
const HEARTBEAT_MS = 10_000;
const TICK_MS = 1_000;

type Seen = {
  readonly jobId: string;
  readonly accountId: string;
  readonly version: number;
  readonly progress: string;
};

type Hint = Pick<Seen, 'jobId' | 'version'> & { readonly hasEnded: boolean };

type JobStreams = {
  /** Takes one of the holder's places; the result gives it back. Throws `stream_cap`. */
  take(holder: string): () => void;
  /** Sends a response whatever becomes of a job after `seen`, until the job or the stream's life ends, or the reader is gone. */
  join(response: ServerResponse, seen: Seen): void;
  /** There may be something new of a job; where it has ended, nothing else is waited for. */
  hint(hint: Hint): void;
};

type JobStreamsOptions = {
  readonly lifeMs: number;
  readonly clock: MonotonicClock;
  /** Fires when the process takes no more requests: streams end then, and their readers come back elsewhere. */
  readonly ending: AbortSignal;
};

/** The jobs that are watched; while there are any, `tick` is called for each of them once a second. */
const createWatches = (tick: (watch: Watch) => void) => {
  const watches = new Map<string, Watch>();
  let ticking: NodeJS.Timeout | null = null;
  const tickAll = () => {
    for (const watch of watches.values()) tick(watch);
  };
  return {
    all: () => watches.values(),
    get: (jobId: string) => watches.get(jobId),
    open: ({ jobId, accountId, version, progress }: Seen, now: number): Watch => {
      const streams = new Set<Stream>();
      const watch = watches.get(jobId) ?? {
        ...{ jobId, accountId, streams, version, progress },
        ...{ lookedAt: now, timer: null },
      };
      watches.set(jobId, watch);
      ticking ??= setInterval(tickAll, TICK_MS);
      return watch;
    },
    /** Forgets a stream, and its watch with the last one. */
    leave: (watch: Watch, stream: Stream): void => {
      if (!watch.streams.delete(stream) || watch.streams.size > 0) return;
      clearTimeout(watch.timer ?? undefined);
      watches.delete(watch.jobId);
      if (watches.size > 0) return;
      clearInterval(ticking ?? undefined);
      ticking = null;
    },
  };
};

/** The progress streams of this process; a job is looked at once for all of its readers. */
export const createJobStreams = (
  call: Call<Surface>,
  { lifeMs, clock, ending }: JobStreamsOptions,
): JobStreams => {
  const end = (watch: Watch, stream: Stream): void => {
    watches.leave(watch, stream);
    stream.response.end();
  };
  const endAll = (watch: Watch): void => {
    for (const stream of watch.streams) end(watch, stream);
  };
  const { lookSoon, lookNow } = createLooks({ call, clock, onEnd: endAll });
  const watches = createWatches((watch) => {
    const now = clock();
    if (now - watch.lookedAt >= LOOK_EVERY_MS) lookSoon(watch);
    for (const stream of watch.streams) {
      if (now >= stream.endsAt) end(watch, stream);
      else if (now >= stream.beatAt) {
        stream.beatAt = now + HEARTBEAT_MS;
        send(stream, ':\n\n');
      }
    }
  });
  ending.addEventListener('abort', () => {
    for (const watch of watches.all()) endAll(watch);
  });
  return {
    take: createPlaces(),
    join: (response, seen) => {
      const now = clock();
      const watch = watches.open(seen, now);
      const stream = { response, endsAt: now + lifeMs, beatAt: now + HEARTBEAT_MS };
      watch.streams.add(stream);
      response.once('close', () => watches.leave(watch, stream));
      // What has changed since the job was read for this stream, when nobody was watching it here.
      lookSoon(watch);
    },
    hint: ({ jobId, version, hasEnded }) => {
      const watch = watches.get(jobId);
      if (watch === undefined || version <= watch.version) return;
      if (hasEnded) lookNow(watch);
      else lookSoon(watch);
    },
  };
};

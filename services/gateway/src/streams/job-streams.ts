import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { bulkOrchestrator, hasJobEnded, type JobSummary } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { jobProgress } from '@tds/http-api';
import type { Call } from '@tds/kit';
import { createCounts } from '../domain/counts.ts';
import type { MonotonicClock } from '../redis/index.ts';
import type { Surface } from '../surface.ts';

/** Reconnect delay for clients (specification, part 6). */
const RECONNECT_MS = 10_000;

/** The whole progress, so that an event needs no earlier one. */
export const formatProgress = (job: JobSummary): string => JSON.stringify(jobProgress.parse(job));

const jobEvent = (progress: string, version: number): string =>
  `id: ${version}\nevent: job\ndata: ${progress}\n\n`;

/** The first bytes of a stream. A reader that knows this version gets the reconnect delay only. */
export const firstEvent = (progress: string, version: number, isKnown: boolean): string =>
  `retry: ${RECONNECT_MS}\n${isKnown ? '\n' : jobEvent(progress, version)}`;

/** Hints within this time cause one read of the job. */
const COALESCED_MS = 500;
const CALL_MS = 3_000;

type Stream = {
  readonly response: ServerResponse;
  /** Null for a session. */
  readonly keyId: string | null;
  readonly endsAt: number;
  /** When the next heartbeat is due. */
  beatAt: number;
};

/** A job with streams in this process, read once for all of them. */
type Watch = Pick<ReadJob, 'jobId' | 'accountId'> & {
  readonly streams: Set<Stream>;
  version: number;
  /** As sent last. */
  progress: string;
  polledAt: number;
  timer: NodeJS.Timeout | null;
};

/** Cuts off readers that do not keep up with two events a second: their events would pile up in memory. */
const send = ({ response }: Stream, text: string): void => {
  if (response.writableNeedDrain) response.destroy();
  else response.write(text);
};

type WatchDeps = {
  readonly call: Call<Surface>;
  readonly clock: MonotonicClock;
  readonly onEnd: (watch: Watch) => void;
};

/** Reads a job and sends changes to all of its streams, now or soon; repeated requests until then cause one read. */
const createPolls = ({ call, clock, onEnd }: WatchDeps) => {
  const poll = async (watch: Watch): Promise<void> => {
    const { jobId, accountId } = watch;
    watch.polledAt = clock();
    const context = { requestId: randomUUID(), accountId, signal: AbortSignal.timeout(CALL_MS) };
    const { job, version } = await call(bulkOrchestrator.getJobSummary, { accountId, jobId }, context);
    if (version <= watch.version) return;
    watch.version = version;
    const progress = formatProgress(job);
    // Streams do not show every change.
    if (progress !== watch.progress) {
      watch.progress = progress;
      for (const stream of watch.streams) send(stream, jobEvent(progress, version));
    }
    if (hasJobEnded(job)) onEnd(watch);
  };
  const pollNow = (watch: Watch): void => {
    clearTimeout(watch.timer ?? undefined);
    watch.timer = null;
    // On failure the next hint or tick reads again.
    poll(watch).catch(() => undefined);
  };
  return {
    pollNow,
    pollSoon: (watch: Watch): void => {
      watch.timer ??= setTimeout(pollNow, COALESCED_MS, watch);
    },
  };
};

/** Open streams per key, or per account for sessions. */
export const MAX_STREAMS = 10;
const RETRY_AFTER_SECONDS = 10;

/** Takes one of the holder's places and returns a function that releases it once. Throws `stream_cap`. */
const createPlaces = () => {
  const counts = createCounts();
  return (holder: string): (() => void) => {
    if (counts.of(holder) >= MAX_STREAMS)
      throw serviceError('stream_cap', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    counts.add(holder, 1);
    let isTaken = true;
    return () => {
      if (isTaken) counts.add(holder, -1);
      isTaken = false;
    };
  };
};

/** Hints may be lost, so jobs are also read at this interval. */
const POLL_EVERY_MS = 5_000;
const HEARTBEAT_MS = 10_000;
const TICK_MS = 1_000;

type ReadJob = {
  readonly jobId: string;
  readonly accountId: string;
  readonly version: number;
  readonly progress: string;
};

type Hint = Pick<ReadJob, 'jobId' | 'version'> & { readonly hasEnded: boolean };

type JobStreamsOptions = {
  readonly lifeMs: number;
  readonly clock: MonotonicClock;
  /** Fires when the process stops: streams end and readers reconnect elsewhere. */
  readonly ending: AbortSignal;
};

/** The watched jobs. Calls `tick` for each once a second. */
const createWatches = (tick: (watch: Watch) => void) => {
  const watches = new Map<string, Watch>();
  let ticking: NodeJS.Timeout | null = null;
  const tickAll = () => {
    for (const watch of watches.values()) tick(watch);
  };
  return {
    all: () => watches.values(),
    get: (jobId: string) => watches.get(jobId),
    open: (job: ReadJob, now: number): Watch => {
      const newWatch = { ...job, streams: new Set<Stream>(), polledAt: now, timer: null };
      const watch = watches.get(job.jobId) ?? newWatch;
      watches.set(job.jobId, watch);
      ticking ??= setInterval(tickAll, TICK_MS);
      return watch;
    },
    /** Removes a stream, and the watch with its last stream. */
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

/** The progress streams of this process. */
export const createJobStreams = (call: Call<Surface>, { lifeMs, clock, ending }: JobStreamsOptions) => {
  const end = (watch: Watch, stream: Stream): void => {
    watches.leave(watch, stream);
    stream.response.end();
  };
  const endAll = (watch: Watch): void => {
    for (const stream of watch.streams) end(watch, stream);
  };
  const { pollSoon, pollNow } = createPolls({ call, clock, onEnd: endAll });
  const watches = createWatches((watch) => {
    const now = clock();
    if (now - watch.polledAt >= POLL_EVERY_MS) pollSoon(watch);
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
    /** How many readers this process serves. */
    countReaders: (): number => [...watches.all()].reduce((sum, { streams }) => sum + streams.size, 0),
    /** Sends changes after `job` was read, until it or the stream's life ends, or the reader leaves. */
    join: (response: ServerResponse, job: ReadJob, keyId: string | null = null): void => {
      const now = clock();
      const watch = watches.open(job, now);
      const stream = { response, keyId, endsAt: now + lifeMs, beatAt: now + HEARTBEAT_MS };
      watch.streams.add(stream);
      response.once('close', () => watches.leave(watch, stream));
      // The job may have changed since it was read for this stream.
      pollSoon(watch);
    },
    /** Ends the streams of a key that works no more. */
    endForKey: (keyId: string): void => {
      for (const watch of watches.all())
        for (const stream of watch.streams) if (stream.keyId === keyId) end(watch, stream);
    },
    /** A job may have changed; if it has ended, it is read at once. */
    hint: ({ jobId, version, hasEnded }: Hint): void => {
      const watch = watches.get(jobId);
      if (watch === undefined || version <= watch.version) return;
      (hasEnded ? pollNow : pollSoon)(watch);
    },
  };
};
export type JobStreams = ReturnType<typeof createJobStreams>;

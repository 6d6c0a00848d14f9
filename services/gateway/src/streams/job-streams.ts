import type { ServerResponse } from 'node:http';
import type { Call } from '@tds/service-kit';
import type { MonotonicClock } from '../admission/redis-guard.ts';
import type { Surface } from '../surface.ts';
import { createPlaces } from './places.ts';
import { createLooks, type Stream, send, type Watch } from './watch.ts';

/** Hints may be lost. */
const LOOK_EVERY_MS = 5_000;
const HEARTBEAT_MS = 10_000;
const TICK_MS = 1_000;

export type Seen = {
  readonly jobId: string;
  readonly accountId: string;
  readonly version: number;
  readonly progress: string;
};

type Hint = Pick<Seen, 'jobId' | 'version'> & { readonly hasEnded: boolean };

export type JobStreams = {
  /** Takes one of the holder's places; the result gives it back. Throws `stream_cap`. */
  take(holder: string): () => void;
  /** Sends a response whatever becomes of a job after `seen`, until the job or the stream's life ends, or the reader is gone. */
  join(response: ServerResponse, seen: Seen): void;
  /** There may be something new of a job; where it has ended, nothing else is waited for. */
  hint(hint: Hint): void;
};

export type JobStreamsOptions = {
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

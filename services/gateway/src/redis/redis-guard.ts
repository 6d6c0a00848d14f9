import { createBatcher, DeadlinePassed, withDeadline } from '@tds/base';

/** Monotonic milliseconds. */
export type MonotonicClock = () => number;

export type RedisGuardOptions = {
  readonly clock: MonotonicClock;
  readonly timeoutMs: number;
  /** How long to leave Redis alone after a failure. */
  readonly pauseMs: number;
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
};

/** A full server that evicts nothing cannot count, so it is treated as away. */
export const isFull = (error: unknown): boolean => error instanceof Error && error.message.includes('OOM ');

/**
 * Keeps an outage of Redis from slowing requests down. After a failure, or two late answers in a row, Redis is left
 * alone for a while; then one request tries it while the others go on without it.
 */
export const createRedisGuard = (options: RedisGuardOptions) => {
  const { clock, timeoutMs, pauseMs, onAway, onBack } = options;
  let isAway = false;
  let isTrying = false;
  let retryAt = 0;
  let wasSlow = false;
  const fail = (error: unknown): null => {
    // One late answer may be a hiccup; the second in a row counts.
    const isHiccup = error instanceof DeadlinePassed && !wasSlow && !isAway;
    wasSlow = true;
    if (isHiccup) return null;
    if (!isAway) onAway(error);
    isAway = true;
    retryAt = clock() + pauseMs;
    return null;
  };
  async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      const result = await withDeadline(work(), timeoutMs);
      if (isAway) onBack();
      isAway = false;
      wasSlow = false;
      return result;
    } catch (error) {
      return fail(error);
    }
  }
  return {
    isAway: () => isAway,
    /** Null if Redis was not asked or did not answer in time: go on without it. */
    async run<T>(work: () => Promise<T>): Promise<T | null> {
      if (!isAway) return attempt(work);
      if (isTrying || clock() < retryAt) return null;
      isTrying = true;
      try {
        return await attempt(work);
      } finally {
        isTrying = false;
      }
    },
  };
};
export type RedisGuard = ReturnType<typeof createRedisGuard>;

const MAX_BATCH = 64;

/**
 * Sends requests of one turn of the event loop, or of one round trip, together: under load dozens share a round trip, which costs less than
 * one each. Null if Redis was not asked or did not answer in time.
 */
export const createGuardedBatcher = <Request, Reply>(
  guard: RedisGuard,
  send: (requests: readonly Request[]) => Promise<readonly Reply[]>,
): ((request: Request) => Promise<Reply | null>) => {
  const submit = createBatcher({
    call: async (requests: readonly Request[]) =>
      (await guard.run(() => send(requests))) ?? requests.map(() => null),
    maxBatch: MAX_BATCH,
    maxCalls: 1,
  });
  const sendAlone = async (request: Request) => (await guard.run(() => send([request])))?.[0] ?? null;
  // While Redis is away, requests do not wait for the one that tries it.
  return (request) => (guard.isAway() ? sendAlone(request) : submit(request));
};

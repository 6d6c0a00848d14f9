/** Monotonic milliseconds. */
export type MonotonicClock = () => number;

export type RedisGuard = {
  /** Null if Redis was not asked or did not answer in time: go on without it. */
  run<T>(work: () => Promise<T>): Promise<T | null>;
  readonly isAway: () => boolean;
};

export type RedisGuardOptions = {
  readonly clock: MonotonicClock;
  readonly timeoutMs: number;
  /** How long to leave Redis alone after a failure. */
  readonly pauseMs: number;
  readonly onAway: (error: unknown) => void;
  readonly onBack: () => void;
};

class RedisTooSlow extends Error {
  override readonly name = 'RedisTooSlow';
}

/** A full server that evicts nothing cannot count, so it is treated as away. */
export const isFull = (error: unknown): boolean => error instanceof Error && error.message.includes('OOM ');

/** If this process was busy, Redis' answer may be waiting: read it before the timeout counts. */
async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => setImmediate(() => setImmediate(reject, new RedisTooSlow(`no answer within ${timeoutMs} ms`))),
    timeoutMs,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Keeps an outage of Redis from slowing requests down. After a failure, or two late answers in a row, Redis is left
 * alone for a while; then one request tries it while the others go on without it.
 */
export const createRedisGuard = (options: RedisGuardOptions): RedisGuard => {
  const { clock, timeoutMs, pauseMs, onAway, onBack } = options;
  let isAway = false;
  let isTrying = false;
  let tryAgainAt = 0;
  let wasSlow = false;
  const fail = (error: unknown): null => {
    // One late answer may be a hiccup; the second in a row counts.
    const isHiccup = error instanceof RedisTooSlow && !wasSlow && !isAway;
    wasSlow = true;
    if (isHiccup) return null;
    if (!isAway) onAway(error);
    isAway = true;
    tryAgainAt = clock() + pauseMs;
    return null;
  };
  async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      const result = await withTimeout(work(), timeoutMs);
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
    async run(work) {
      if (!isAway) return attempt(work);
      if (isTrying || clock() < tryAgainAt) return null;
      isTrying = true;
      try {
        return await attempt(work);
      } finally {
        isTrying = false;
      }
    },
  };
};

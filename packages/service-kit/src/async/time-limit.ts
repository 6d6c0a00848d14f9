/** An attempt took longer than its contract gives it. */
export class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded';

  constructor(limitMs: number) {
    super(`the attempt took longer than ${limitMs} ms`);
  }
}

export type TimeLimit = { readonly timeLimitMs: number | null; readonly leaseMs: number };

/**
 * Runs an attempt for `timeLimitMs` at most: then its signal fires. If it has not ended a third of a lease later, it counts as
 * failed without having ended, and the task and the slot are free for others: a promise that never settles cannot be
 * stopped, but it keeps nobody else waiting, and can commit nothing once another attempt has begun.
 */
export const withinTimeLimit = async <T>(
  { timeLimitMs, leaseMs }: TimeLimit,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  if (timeLimitMs === null) return run(signal);
  const limit = new AbortController();
  const givenUp = Promise.withResolvers<never>();
  const exceeded = new TimeLimitExceeded(timeLimitMs);
  const timers = [
    setTimeout(() => limit.abort(exceeded), timeLimitMs),
    setTimeout(() => givenUp.reject(exceeded), timeLimitMs + leaseMs / 3),
  ];
  try {
    return await Promise.race([run(AbortSignal.any([signal, limit.signal])), givenUp.promise]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
};

/** A time limit as a signal. Dispose of it when the work is done, or its timer lives on. */
type Deadline = { readonly signal: AbortSignal; dispose(): void };

// Follows the signal wherever it is handed on; a moment of this process's own monotonic clock.
const endsAt = new WeakMap<AbortSignal, number>();

/** Milliseconds until the deadline that made this signal; Infinity for other signals. */
export const remainingMs = (signal: AbortSignal): number => {
  if (signal.aborted) return 0;
  const end = endsAt.get(signal);
  return end === undefined ? Number.POSITIVE_INFINITY : Math.max(0, end - performance.now());
};

/** Fires after `ms`, or when `parent` fires. */
export const createDeadline = (ms: number, parent?: AbortSignal): Deadline => {
  const controller = new AbortController();
  const abort = () => controller.abort(parent?.reason);
  const timer = setTimeout(
    () => controller.abort(new DOMException('the deadline has passed', 'TimeoutError')),
    ms,
  );
  timer.unref();
  const parentMs = parent === undefined ? Number.POSITIVE_INFINITY : remainingMs(parent);
  endsAt.set(controller.signal, performance.now() + Math.min(ms, parentMs));
  if (parent?.aborted) abort();
  else parent?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    dispose: () => {
      clearTimeout(timer);
      parent?.removeEventListener('abort', abort);
    },
  };
};

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
 * stopped, but no caller waits for it, and can commit nothing once another attempt has begun.
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

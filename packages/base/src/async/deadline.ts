/** The time of a deadline is over. */
export class DeadlinePassed extends Error {
  override readonly name = 'TimeoutError';
}

/** A time limit as a signal. Dispose of it when the work is done, or its timer lives on. */
type Deadline = Disposable & {
  readonly signal: AbortSignal;
  /** Whether its own time has passed: its signal also fires with its parent. */
  hasPassed(): boolean;
  dispose(): void;
};

// Follows the signal wherever it is handed on; a moment of this process's own monotonic clock.
const endsAt = new WeakMap<AbortSignal, number>();

/** Milliseconds until the deadline that made this signal; Infinity for other signals. */
export const remainingMs = (signal: AbortSignal): number => {
  if (signal.aborted) return 0;
  const end = endsAt.get(signal);
  return end === undefined ? Number.POSITIVE_INFINITY : Math.max(0, end - performance.now());
};

/** Fires after `ms`, for the reason that `createReason` makes then (a `DeadlinePassed` by default), or when `parent` fires, for its reason. */
export const createDeadline = (
  ms: number,
  parent?: AbortSignal,
  createReason = (): Error => new DeadlinePassed('the deadline has passed'),
): Deadline => {
  const controller = new AbortController();
  let hasPassed = false;
  const abort = () => controller.abort(parent?.reason);
  const timer = setTimeout(() => {
    hasPassed = true;
    controller.abort(createReason());
  }, ms);
  timer.unref();
  const parentMs = parent === undefined ? Number.POSITIVE_INFINITY : remainingMs(parent);
  endsAt.set(controller.signal, performance.now() + Math.min(ms, parentMs));
  if (parent?.aborted) abort();
  else parent?.addEventListener('abort', abort, { once: true });
  const dispose = () => {
    clearTimeout(timer);
    parent?.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, hasPassed: () => hasPassed, dispose, [Symbol.dispose]: dispose };
};

/** Ends with the work, or throws the signal's reason as soon as that fires: the work goes on, but the caller does not wait for it. */
export const unlessAborted = async <T>(work: Promise<T>, signal: AbortSignal): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, work]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

/**
 * Ends with the work, or throws a `DeadlinePassed` after `ms`: the work goes on, but the caller does not wait for it. If this process was
 * busy, the answer may have arrived: it is read before the deadline counts.
 */
export const withDeadline = async <T>(
  work: Promise<T>,
  ms: number,
  createReason = (): Error => new DeadlinePassed(`no answer within ${ms} ms`),
): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => setImmediate(() => setImmediate(() => reject(createReason()))), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
};

/** Whether the work ends within `ms`. Throws what the work throws in time. */
export const endsWithin = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  const late = new DeadlinePassed();
  try {
    await withDeadline(work, ms, () => late);
    return true;
  } catch (error) {
    if (error === late) return false;
    throw error;
  }
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
  const exceeded = () => new TimeLimitExceeded(timeLimitMs);
  using limit = createDeadline(timeLimitMs, signal, exceeded);
  return await withDeadline(run(limit.signal), timeLimitMs + leaseMs / 3, exceeded);
};

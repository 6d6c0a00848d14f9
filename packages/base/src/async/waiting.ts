import { setTimeout as wait } from 'node:timers/promises';

/** Growing random pauses between failures. */
type Backoff = {
  /** Waits; returns early and quietly when the signal fires. */
  pause(signal: AbortSignal): Promise<void>;
  reset(): void;
};

export const pauseFor = async (ms: number, signal: AbortSignal): Promise<void> => {
  // The signal only ends the wait; the caller checks it next.
  await wait(ms, undefined, { signal }).catch(() => {});
};

type BackoffOptions = {
  readonly firstMs: number;
  readonly maxMs: number;
  readonly random?: () => number;
  readonly wait?: typeof pauseFor;
};

/** Pauses double up to `maxMs`; each is shortened by up to a half, so that callers which failed together do not retry together. */
export const createBackoff = ({
  firstMs,
  maxMs,
  random = Math.random,
  wait: pause = pauseFor,
}: BackoffOptions): Backoff => {
  let nextMs = firstMs;
  return {
    pause: async (signal) => {
      const ms = nextMs * (0.5 + random() / 2);
      nextMs = Math.min(nextMs * 2, maxMs);
      await pause(ms, signal);
    },
    reset: () => {
      nextMs = firstMs;
    },
  };
};

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

type Finish<Outcome> = (outcome: Outcome | null) => void;

/**
 * Callers of this process that wait for something with an id to happen. A wake-up may be lost if another process makes it
 * happen, so the waiter looks again after `ms`.
 */
export class Waiters<Outcome = null> {
  readonly #waiting = new Map<string, Set<Finish<Outcome>>>();

  /** Resolves at the next wake-up for `id`, after `ms`, or when `signal` fires; cancel it when no longer needed. */
  wait(
    id: string,
    ms: number,
    signal: AbortSignal,
  ): { readonly done: Promise<Outcome | null>; cancel(): void } {
    const { promise, resolve } = Promise.withResolvers<Outcome | null>();
    const finish: Finish<Outcome> = (outcome) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      leave();
      resolve(outcome);
    };
    const cancel = () => finish(null);
    const timer = setTimeout(cancel, ms);
    signal.addEventListener('abort', cancel, { once: true });
    const leave = this.listen(id, finish);
    if (signal.aborted) cancel();
    return { done: promise, cancel };
  }

  /** Calls `onWake` at every wake-up for `id`; call the result when that is no longer needed. */
  listen(id: string, onWake: Finish<Outcome>): () => void {
    const finishers = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, finishers.add(onWake));
    return () => {
      finishers.delete(onWake);
      if (finishers.size === 0 && this.#waiting.get(id) === finishers) this.#waiting.delete(id);
    };
  }

  /** With the outcome if it is known here; otherwise waiters check for themselves. */
  wake(id: string, outcome: Outcome | null = null): void {
    for (const finish of [...(this.#waiting.get(id) ?? [])]) finish(outcome);
  }
}

/** Waits until it is woken. */
type WakeSignal = { wake(): void; wait(): Promise<void> };

export const createWakeSignal = (): WakeSignal => {
  let isWoken = false;
  let endWait: (() => void) | undefined;
  return {
    wake: () => {
      isWoken = true;
      endWait?.();
    },
    wait: async () => {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          endWait = resolve;
        });
      endWait = undefined;
      isWoken = false;
    },
  };
};

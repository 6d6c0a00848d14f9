import { setTimeout as delay } from 'node:timers/promises';

/** Waits; returns early and quietly when the signal fires, which the caller checks next. */
export const pauseFor = async (ms: number, signal?: AbortSignal): Promise<void> => {
  await delay(ms, undefined, signal && { signal }).catch(() => {});
};

type BackoffOptions = {
  readonly firstMs: number;
  readonly maxMs: number;
  /** From 0 to 1; 1 does not shorten a pause. */
  readonly random?: () => number;
  readonly wait?: typeof pauseFor;
};

/** Growing random pauses between failures. They double up to `maxMs`; each is shortened by up to a half, so that callers which failed together do not retry together. */
export const createBackoff = ({
  firstMs,
  maxMs,
  random = Math.random,
  wait: pause = pauseFor,
}: BackoffOptions) => {
  let longestMs = firstMs;
  const nextMs = (): number => {
    const ms = longestMs * (0.5 + random() / 2);
    longestMs = Math.min(longestMs * 2, maxMs);
    return ms;
  };
  return {
    /** The next pause in ms, for a caller with a timer of its own. */
    nextMs,
    /** Waits for the next pause; returns early and quietly when the signal fires. */
    pause: (signal?: AbortSignal): Promise<void> => pause(nextMs(), signal),
    /** The next pause is the first again. */
    reset: (): void => {
      longestMs = firstMs;
    },
  };
};

export type RetryOptions = {
  /** Whether the same work may succeed later. */
  readonly isTransient: (error: unknown) => boolean;
  /** After the first attempt. */
  readonly retries: number;
  /** The longest first pause, in ms; each further one is twice as long. */
  readonly firstMs: number;
  /** No further attempt begins when it has fired. */
  readonly signal?: AbortSignal;
};

/** Runs `work` again while its failure is transient. Throws its last failure. */
export const retry = async <T>(
  work: () => Promise<T>,
  { isTransient, retries, firstMs, signal }: RetryOptions,
): Promise<T> => {
  const backoff = createBackoff({ firstMs, maxMs: Number.POSITIVE_INFINITY });
  for (let remaining = retries; ; remaining -= 1) {
    try {
      return await work();
    } catch (error) {
      if (remaining === 0 || !isTransient(error) || signal?.aborted) throw error;
      await backoff.pause(signal);
      if (signal?.aborted) throw error;
    }
  }
};

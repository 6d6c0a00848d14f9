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

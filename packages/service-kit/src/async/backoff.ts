import { setTimeout as wait } from 'node:timers/promises';

/** Growing random pauses between failures. */
export type Backoff = {
  /** Waits; returns early and quietly when the signal fires. */
  pause(signal: AbortSignal): Promise<void>;
  reset(): void;
};

export const pauseFor = async (ms: number, signal: AbortSignal): Promise<void> => {
  // The signal only ends the wait: whoever waits looks at it next.
  await wait(ms, undefined, { signal }).catch(() => {});
};

export const createBackoff = ({ firstMs, maxMs }: { firstMs: number; maxMs: number }): Backoff => {
  let nextMs = firstMs;
  return {
    pause: async (signal) => {
      const ms = nextMs * (0.5 + Math.random() / 2);
      nextMs = Math.min(nextMs * 2, maxMs);
      await pauseFor(ms, signal);
    },
    reset: () => {
      nextMs = firstMs;
    },
  };
};

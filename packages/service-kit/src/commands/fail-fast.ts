import { LOST_ANSWER_MS } from '@tds/contracts';
import type { Bus } from '../broker/bus.ts';

export type FailFast = {
  /** The promise, given up when the signal fires or the connection has been away for two seconds. */
  guard<T>(promise: Promise<T>, signal: AbortSignal): Promise<T>;
};

/** Requests in flight when the connection breaks do not wait for their own, longer time limits. */
export const createFailFast = (bus: Bus): FailFast => {
  const pending = new Set<(error: Error) => void>();
  bus.onDisconnect(() => {
    const lost = [...pending];
    const fail = () => {
      for (const giveUp of lost) giveUp(new Error('the connection to the broker was lost'));
    };
    setTimeout(fail, LOST_ANSWER_MS).unref();
  });
  return {
    guard: async <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> => {
      const { promise: givenUp, reject } = Promise.withResolvers<never>();
      const onAbort = () => reject(signal.reason);
      pending.add(reject);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      try {
        return await Promise.race([promise, givenUp]);
      } finally {
        pending.delete(reject);
        signal.removeEventListener('abort', onAbort);
        // Whichever of the two loses must not become an unhandled rejection.
        promise.catch(() => {});
      }
    },
  };
};

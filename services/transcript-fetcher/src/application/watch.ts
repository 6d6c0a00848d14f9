import { setTimeout as pause } from 'node:timers/promises';
import type { OperationWaiters } from './operation-waiters.ts';

/** Wake-ups that come together are one. */
const TOGETHER_MS = 5;

/** Waits for any of many operations to end; what wakes it between two waits is not lost. */
export type Watch = {
  add(ids: Iterable<string>): void;
  /** Resolves shortly after the first wake-up, after `ms`, or when `signal` fires, to those that were woken since. */
  next(ms: number, signal: AbortSignal): Promise<ReadonlySet<string>>;
  close(): void;
};

export function watch(waiters: Pick<OperationWaiters, 'listen'>): Watch {
  const listening = new Map<string, () => void>();
  let woken = new Set<string>();
  let onWake = Promise.withResolvers<void>();
  return {
    add(ids) {
      for (const id of ids) {
        if (listening.has(id)) continue;
        const leave = waiters.listen(id, () => {
          woken.add(id);
          onWake.resolve();
        });
        listening.set(id, leave);
      }
    },
    async next(ms, signal) {
      const { promise, resolve } = onWake;
      const giveUp = () => resolve();
      const patience = setTimeout(giveUp, ms);
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
      await promise;
      if (woken.size > 0) await pause(TOGETHER_MS);
      clearTimeout(patience);
      signal.removeEventListener('abort', giveUp);
      const all = woken;
      woken = new Set();
      onWake = Promise.withResolvers();
      return all;
    },
    close() {
      for (const leave of listening.values()) leave();
      listening.clear();
    },
  };
}

import type { OperationWaiters } from './operation-waiters.ts';

/** Wake-ups that come together are one: each costs its owner a payment and a save, and nobody waits for a single row. */
const TOGETHER_MS = 250;
const MOST_TOGETHER = 32;

/** Waits for any of many operations to end; what wakes it between two waits is not lost. */
export type Watch = {
  add(ids: Iterable<string>): void;
  /**
   * Resolves to those that were woken since the last time: when they are many or all, a moment after the first, after `ms`, or when
   * `signal` fires.
   */
  next(ms: number, signal: AbortSignal): Promise<ReadonlySet<string>>;
  close(): void;
};

export function watch(waiters: Pick<OperationWaiters, 'listen'>): Watch {
  const listening = new Map<string, () => void>();
  let woken = new Set<string>();
  let onWake = Promise.withResolvers<void>();
  let onEnough = Promise.withResolvers<void>();
  return {
    add(ids) {
      for (const id of ids) {
        if (listening.has(id)) continue;
        const leave = waiters.listen(id, () => {
          woken.add(id);
          onWake.resolve();
          if (woken.size >= Math.min(MOST_TOGETHER, listening.size)) onEnough.resolve();
        });
        listening.set(id, leave);
      }
    },
    async next(ms, signal) {
      const giveUp = () => {
        onWake.resolve();
        onEnough.resolve();
      };
      const patience = setTimeout(giveUp, ms);
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
      await onWake.promise;
      const soon = setTimeout(giveUp, TOGETHER_MS);
      await onEnough.promise;
      clearTimeout(patience);
      clearTimeout(soon);
      signal.removeEventListener('abort', giveUp);
      const all = woken;
      woken = new Set();
      onWake = Promise.withResolvers();
      onEnough = Promise.withResolvers();
      return all;
    },
    close() {
      for (const leave of listening.values()) leave();
      listening.clear();
    },
  };
}

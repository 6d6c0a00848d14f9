import type { WorkerPool } from './worker-pool.ts';

/** For tasks without a limit: in so long one of many should have begun or ended. */
const NO_LIMIT_MS = 180_000;

/** A handler that overruns its limit is given up a third of a lease later. */
const longestMs = ({ timeLimitMs, leaseMs }: WorkerPool['task']): number =>
  timeLimitMs === null ? NO_LIMIT_MS : timeLimitMs + leaseMs;

/** Throws if all slots of a task are held, and none has changed hands for longer than an attempt may take. */
export const checkSlots = (workerPools: Iterable<Pick<WorkerPool, 'task' | 'heldForMs'>>): void => {
  for (const { task, heldForMs } of workerPools) {
    const heldMs = heldForMs();
    if (heldMs > longestMs(task))
      throw new Error(
        `all ${task.concurrency} slots of ${task.wireName} are held for ${Math.round(heldMs / 1_000)} s`,
      );
  }
};

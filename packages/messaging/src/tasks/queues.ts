import type { WorkerPool } from './worker-pool.ts';

export type WorkerPools = ReadonlyMap<string, WorkerPool>;

export type Queues = ReturnType<typeof createQueues>;

/** Which names may have due tasks, and for which of them a claim is under way. */
export const createQueues = (workerPools: WorkerPools) => {
  const woken = new Set<string>();
  const claiming = new Set<string>();
  return {
    woken,
    claiming,
    wake: (names: Iterable<string>): void => {
      for (const name of names) if (workerPools.has(name)) woken.add(name);
    },
    someHaveRoom: (): boolean => [...woken].some((name) => (workerPools.get(name)?.free() ?? 0) > 0),
    /** Whether older tasks of this name may wait for the slots that a new one would take. */
    mayHoldOlder: (name: string): boolean => woken.has(name) || claiming.has(name),
  };
};

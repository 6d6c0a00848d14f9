import { BACKGROUND, INTERACTIVE, type Priority } from './new-task.ts';
import type { WorkerPool } from './worker-pool.ts';

export type WorkerPools = ReadonlyMap<string, WorkerPool>;

/** Background tasks are claimed beside the others of their name, with limits of their own. */
export type Queue = { readonly workerPool: WorkerPool; readonly priority: Priority };

const queuesOf = (workerPools: WorkerPools): Queue[] =>
  [...workerPools.values()].flatMap((workerPool) =>
    ([INTERACTIVE, BACKGROUND] as const).map((priority) => ({ workerPool, priority })),
  );

export type Queues = ReturnType<typeof createQueues>;

/** Which queues may have due tasks, and for which of them a claim is under way. */
export const createQueues = (workerPools: WorkerPools) => {
  // Made when it is first asked for: the worker pools come after the worker that they report to.
  let queues: readonly Queue[] = [];
  const woken = new Set<Queue>();
  const claiming = new Set<Queue>();
  const all = (): readonly Queue[] => {
    if (queues.length < workerPools.size) queues = queuesOf(workerPools);
    return queues;
  };
  const wakeIf = (isMeant: (queue: Queue) => boolean): void => {
    for (const queue of all().filter(isMeant)) woken.add(queue);
  };
  return {
    all,
    woken,
    claiming,
    wakeIf,
    /** What is not declared to have background work may still have some of another release: the sweep finds it. */
    wake: (name: string): void =>
      wakeIf(
        ({ workerPool: { task }, priority }) =>
          task.wireName === name && (priority === INTERACTIVE || task.backgroundConcurrency !== undefined),
      ),
    someHaveRoom: (): boolean => [...woken].some(({ workerPool, priority }) => workerPool.free(priority) > 0),
    /** Whether older tasks of this name may wait for the slots that a new one would take. */
    mayHoldOlder: (name: string): boolean =>
      [...woken, ...claiming].some(
        ({ workerPool, priority }) => priority === INTERACTIVE && workerPool.task.wireName === name,
      ),
  };
};

import { failureFields } from '@tds/base';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { claimTasks, type FoundTasks, lookBelowFloors } from './claim-tasks.ts';
import { createFloors, type Floors } from './floors.ts';
import { createQueues, type Queues, type WorkerPools } from './queues.ts';

/** Claims for the woken names that have room; those that got as much as they asked for stay woken. */
const claimFor = async (
  { pool }: StoreRuntime,
  workerPools: WorkerPools,
  { woken, claiming }: Queues,
  floors: Floors,
): Promise<void> => {
  const wanted = [...woken].flatMap((name) => {
    const workerPool = workerPools.get(name);
    const limit = workerPool?.free() ?? 0;
    return workerPool && limit > 0 ? [{ workerPool, name, limit, leaseMs: workerPool.task.leaseMs }] : [];
  });
  for (const { name } of wanted) {
    woken.delete(name);
    claiming.add(name);
  }
  const claimed = await claimTasks(pool, floors, wanted).finally(() => claiming.clear());
  for (const { workerPool, name, limit } of wanted) {
    const got = claimed.filter((task) => task.name === name);
    if (got.length === limit) woken.add(name);
    for (const task of got) void workerPool.begin(task);
  }
};

/** Runs while there is something to do, once at a time. */
const createRounds = (hasWork: () => boolean, work: () => Promise<void>) => {
  let running: Promise<void> | undefined;
  const start = (): void => {
    if (running || !hasWork()) return;
    running = work().finally(() => {
      running = undefined;
      // Who woke it between its last look and this moment must not be forgotten.
      start();
    });
  };
  return { start, whenIdle: async (): Promise<void> => await running };
};

export type Pump = ReturnType<typeof createPump>;

/** Claims due tasks for all names that were woken and have room, one statement at a time. */
export const createPump = (runtime: StoreRuntime, workerPools: WorkerPools, stopping: AbortSignal) => {
  const queues = createQueues(workerPools);
  const floors = createFloors();
  const mayBegin = () => !stopping.aborted;
  const hasWork = () => mayBegin() && queues.someHaveRoom();
  const { start, whenIdle } = createRounds(hasWork, async () => {
    try {
      while (hasWork()) await claimFor(runtime, workerPools, queues, floors);
    } catch (error) {
      floors.forget();
      // The next look wakes them again.
      runtime.log.warn('tasks could not be claimed', failureFields(error));
    }
  });
  return {
    start,
    whenIdle,
    wake: (name: string): void => {
      queues.wake([name]);
      start();
    },
    wakeAll: (): void => {
      queues.wake(workerPools.keys());
      start();
    },
    mayPreLease: (name: string): boolean => mayBegin() && !queues.mayHoldOlder(name),
    floors,
    mayBegin,
    /** Takes the result of a look. Wakes the names that have due tasks, and returns them. */
    saw: (names: readonly string[], found: FoundTasks): string[] => {
      const isDue = (place: number) => (found.firstMs[place] ?? Number.POSITIVE_INFINITY) <= found.atMs;
      names.forEach((name, place) => {
        floors.saw(found, name, found.firstMs[place] ?? null);
      });
      const due = names.filter((_, place) => isDue(place));
      queues.wake(due);
      start();
      return due;
    },
    /** Wakes the names that have something due below their floors. */
    lookDeep: async (): Promise<void> => {
      queues.wake(await lookBelowFloors(runtime.pool, floors, [...workerPools.keys()]));
      start();
    },
  };
};

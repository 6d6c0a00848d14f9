import { failureFields } from '../errors/failure-fields.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { claimTasks, lookBelowFloors } from './claim-tasks.ts';
import { createFloors, type Floors } from './floors.ts';
import { createQueues, type Queue, type Queues, type WorkerPools } from './queues.ts';
import type { WorkerPool } from './worker-pool.ts';

/** Background work gets what the others of its name, asked for at the same time, cannot take. */
const roomFor = ({ workerPool, priority }: Queue, asked: ReadonlyMap<WorkerPool, number>): number =>
  Math.min(workerPool.free(priority), workerPool.free() - (asked.get(workerPool) ?? 0));

/** Claims for the woken queues that have room; those that got as much as they asked for stay woken. */
const claimFor = async (
  runtime: StoreRuntime,
  { woken, claiming }: Queues,
  floors: Floors,
): Promise<void> => {
  const asked = new Map<WorkerPool, number>();
  const wanted = [...woken]
    .toSorted((one, other) => one.priority - other.priority)
    .flatMap((queue) => {
      const limit = roomFor(queue, asked);
      if (limit <= 0) return [];
      const { workerPool, priority } = queue;
      asked.set(workerPool, (asked.get(workerPool) ?? 0) + limit);
      const { wireName, leaseMs } = workerPool.task;
      return [{ queue, name: wireName, priority, limit, leaseMs }];
    });
  for (const { queue } of wanted) {
    woken.delete(queue);
    claiming.add(queue);
  }
  const claimed = await claimTasks(runtime.pool, floors, wanted).finally(() => claiming.clear());
  for (const { queue, limit } of wanted) {
    const got = claimed.filter(
      ({ name, priority }) => name === queue.workerPool.task.wireName && priority === queue.priority,
    );
    if (got.length === limit) woken.add(queue);
    for (const task of got) queue.workerPool.begin(task);
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

/** Wakes the queues that have something due below their floors. */
const lookDeep = async ({ pool }: StoreRuntime, queues: Queues, floors: Floors): Promise<void> => {
  const named = queues.all().map((queue) => ({
    ...{ queue, name: queue.workerPool.task.wireName, priority: queue.priority },
  }));
  const found = await lookBelowFloors(pool, floors, named);
  queues.wakeIf((queue) => found.some((one) => one.queue === queue));
};

export type Pump = ReturnType<typeof createPump>;

/** Claims due tasks for all queues that were woken and have room, one statement at a time. */
export const createPump = (runtime: StoreRuntime, workerPools: WorkerPools, stopping: AbortSignal) => {
  const queues = createQueues(workerPools);
  const floors = createFloors();
  let isHeld = false;
  const mayBegin = () => !stopping.aborted && !isHeld;
  const hasWork = () => mayBegin() && queues.someHaveRoom();
  const { start, whenIdle } = createRounds(hasWork, async () => {
    try {
      while (hasWork()) await claimFor(runtime, queues, floors);
    } catch (error) {
      floors.forget();
      // The sweep tries again within a second.
      runtime.log.warn('tasks could not be claimed', failureFields(error));
    }
  });
  return {
    start,
    whenIdle,
    wake: (name: string): void => {
      queues.wake(name);
      start();
    },
    wakeAll: (): void => {
      queues.wakeIf(() => true);
      start();
    },
    mayPreLease: (name: string): boolean => mayBegin() && !queues.mayHoldOlder(name),
    floors,
    mayBegin,
    /** Lets nothing begin until what it answers is called. */
    hold: (): (() => void) => {
      isHeld = true;
      return () => {
        isHeld = false;
        start();
      };
    },
    lookDeep: async (): Promise<void> => {
      await lookDeep(runtime, queues, floors);
      start();
    },
  };
};

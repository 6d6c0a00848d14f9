import { failureFields } from '../errors/failure-fields.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { claimTasks, lookBelowFloors } from './claim-tasks.ts';
import { createFloors, type Floors } from './floors.ts';
import { BACKGROUND, INTERACTIVE, type Priority } from './new-task.ts';
import type { WorkerPool } from './worker-pool.ts';

export type WorkerPools = ReadonlyMap<string, WorkerPool>;

/** Background tasks are claimed beside the others of their name, with limits of their own. */
type Queue = { readonly workerPool: WorkerPool; readonly priority: Priority };

const queuesOf = (workerPools: WorkerPools): Queue[] =>
  [...workerPools.values()].flatMap((workerPool) =>
    ([INTERACTIVE, BACKGROUND] as const).map((priority) => ({ workerPool, priority })),
  );

type Wakeful = { readonly woken: Set<Queue>; readonly claiming: Set<Queue>; readonly floors: Floors };

/** Background work gets what the others of its name, asked for at the same time, cannot take. */
const roomFor = ({ workerPool, priority }: Queue, asked: ReadonlyMap<WorkerPool, number>): number =>
  Math.min(workerPool.free(priority), workerPool.free() - (asked.get(workerPool) ?? 0));

/** Claims for the woken queues that have room; those that got as much as they asked for stay woken. */
const claimFor = async (runtime: StoreRuntime, { woken, claiming, floors }: Wakeful): Promise<void> => {
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

export type Pump = ReturnType<typeof createPump>;

/** Claims due tasks for all queues that were woken and have room, one statement at a time. */
export const createPump = (runtime: StoreRuntime, workerPools: WorkerPools, stopping: AbortSignal) => {
  // Made when it is first asked for: the worker pools come after the worker that they report to.
  let queues: readonly Queue[] = [];
  const woken = new Set<Queue>();
  const claiming = new Set<Queue>();
  const floors = createFloors();
  let pumping: Promise<void> | undefined;
  let isHeld = false;
  const hasWork = () =>
    !stopping.aborted &&
    !isHeld &&
    [...woken].some(({ workerPool, priority }) => workerPool.free(priority) > 0);
  const pump = async (): Promise<void> => {
    try {
      while (hasWork()) await claimFor(runtime, { woken, claiming, floors });
    } catch (error) {
      floors.forget();
      // The sweep tries again within a second.
      runtime.log.warn('tasks could not be claimed', failureFields(error));
    }
  };
  const start = (): void => {
    if (pumping || !hasWork()) return;
    pumping = pump().finally(() => {
      pumping = undefined;
      // Who woke it between its last look and this moment must not be forgotten.
      start();
    });
  };
  const wakeIf = (isMeant: (queue: Queue) => boolean): void => {
    if (queues.length < workerPools.size) queues = queuesOf(workerPools);
    for (const queue of queues.filter(isMeant)) woken.add(queue);
    start();
  };
  /** What is not declared to have background work may still have some of another release: the sweep finds it. */
  const wake = (name: string): void =>
    wakeIf(
      ({ workerPool: { task }, priority }) =>
        task.wireName === name && (priority === INTERACTIVE || task.backgroundConcurrency !== undefined),
    );
  const mayPreLease = (name: string) =>
    !stopping.aborted &&
    !isHeld &&
    ![...woken, ...claiming].some(
      ({ workerPool, priority }) => priority === INTERACTIVE && workerPool.task.wireName === name,
    );
  return {
    start,
    wake,
    wakeAll: () => wakeIf(() => true),
    mayPreLease,
    floors,
    mayBegin: () => !stopping.aborted && !isHeld,
    /** Lets nothing begin until what it answers is called. */
    hold: (): (() => void) => {
      isHeld = true;
      return () => {
        isHeld = false;
        start();
      };
    },
    whenIdle: async () => void (await pumping),
    lookDeep: async (): Promise<void> => {
      const named = queues.map((queue) => ({
        ...{ queue, name: queue.workerPool.task.wireName, priority: queue.priority },
      }));
      const found = await lookBelowFloors(runtime.pool, floors, named);
      wakeIf((queue) => found.some((one) => one.queue === queue));
    },
  };
};

import type { Task } from '@tds/contracts';
import type { StoreRuntime, Worker } from '../runtime/runtime.ts';
import { receiveHints, sendHints } from './hints.ts';
import type { TaskHandler } from './run-task.ts';
import { noSlots, type TaskSlots } from './slots.ts';
import { createTaskWorker, type TaskWorker } from './worker.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

export type TaskHandlers = Readonly<Record<string, TaskHandler>>;

export type Tasks = Worker &
  Pick<TaskWorker, 'wanted' | 'found' | 'foundNothing'> & {
    /** Takes up to `most` slots for tasks of this name that are about to be saved; fewer or none if others come first. */
    reserve(name: string, most: number): TaskSlots;
    /** After a commit that enqueued these, beside those that begin in reserved slots. */
    enqueued(dueInMs: readonly (readonly [name: string, delayMs: number])[]): void;
    wakeAll(): void;
    /** Gives back what is still leased; after `stop` took too long. */
    release(): Promise<void>;
  };

/** Works here on what is due now, as far as there is room; other instances get hints of what is beyond it. */
const spread = (
  runtime: StoreRuntime,
  worker: TaskWorker,
  workerPools: ReadonlyMap<string, WorkerPool>,
): Tasks['enqueued'] => {
  const spreadDue = (name: string, dueNow: number) => {
    const workerPool = workerPools.get(name);
    const excess = workerPool ? dueNow - workerPool.free() : 0;
    if (workerPool && excess > 0) sendHints(runtime, workerPool.task, excess);
    worker.wake(name);
  };
  return (dueInMs) => {
    const dueNow = new Map<string, number>();
    for (const [name, delayMs] of dueInMs) {
      if (delayMs > 0) worker.wakeIn(name, delayMs);
      else dueNow.set(name, (dueNow.get(name) ?? 0) + 1);
    }
    for (const [name, count] of dueNow) spreadDue(name, count);
  };
};

/** Runs the surface's tasks: rows are the truth, wakes, hints and timers make it quick, looks make it certain. */
export const startTasks = (runtime: StoreRuntime, tasks: readonly Task[], handlers: TaskHandlers): Tasks => {
  const workerPools = new Map<string, WorkerPool>();
  const worker = createTaskWorker(runtime, workerPools);
  for (const task of tasks) {
    const handler = handlers[task.name];
    if (!handler) throw new Error(`${runtime.service} has no handler for ${task.wireName}`);
    const workerPool = createWorkerPool({
      ...{ runtime, task, handler },
      onEnd: ({ retryAfterMs, isPartitioned }) => {
        if (retryAfterMs !== undefined) worker.wakeIn(task.wireName, retryAfterMs);
        // Its permit may have gone to a task that no process has seen yet.
        if (isPartitioned) worker.wake(task.wireName);
        else worker.hasRoom();
      },
    });
    workerPools.set(task.wireName, workerPool);
  }
  const receivers = [...workerPools.values()].map((workerPool) =>
    receiveHints(runtime, {
      task: workerPool.task,
      room: workerPool,
      onHint: () => worker.wake(workerPool.task.wireName),
    }),
  );
  worker.wakeAll();
  return {
    reserve: (name, most) => {
      const workerPool = workerPools.get(name);
      return workerPool && worker.mayPreLease(name) ? workerPool.reserve(most) : noSlots;
    },
    enqueued: spread(runtime, worker, workerPools),
    wakeAll: worker.wakeAll,
    wanted: worker.wanted,
    found: worker.found,
    foundNothing: worker.foundNothing,
    stop: async () => {
      await Promise.all([worker.stop(), ...receivers.map((receiver) => receiver.stop())]);
      await Promise.all([...workerPools.values()].map((workerPool) => workerPool.whenIdle()));
    },
    release: async () =>
      void (await Promise.all([...workerPools.values()].map((workerPool) => workerPool.release()))),
  };
};

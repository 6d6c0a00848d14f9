import type { Task } from '@tds/contracts';
import type { StoreRuntime, TaskHandler, Worker } from '@tds/messaging/internals';
import { createTaskWorker, type TaskWorker } from './worker.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

export type TaskHandlers = Readonly<Record<string, TaskHandler>>;

export type Tasks = Worker &
  Pick<TaskWorker, 'found' | 'pollFailed'> & {
    readonly names: readonly string[];
    /** After a commit that enqueued these. */
    enqueued(dueInMs: readonly (readonly [name: string, delayMs: number])[]): void;
    wakeAll(): void;
    /** Gives back what is still leased; after `stop` took too long. */
    release(): Promise<void>;
  };

/** Runs the surface's tasks: rows are the truth, wakes and timers make it quick, polls make it certain. */
export const startTasks = (runtime: StoreRuntime, tasks: readonly Task[], handlers: TaskHandlers): Tasks => {
  const workerPools = new Map<string, WorkerPool>();
  for (const task of tasks) {
    const handler = handlers[task.name];
    if (!handler) throw new Error(`${runtime.service} has no handler for ${task.wireName}`);
    const workerPool = createWorkerPool({
      ...{ runtime, task, handler },
      onEnd: ({ retryAfterMs, isPartitioned }) => {
        if (retryAfterMs !== undefined) worker.wakeIn(task.wireName, retryAfterMs);
        // Its permit may have gone to a task that no process has seen yet.
        if (isPartitioned) worker.wake([task.wireName]);
        else worker.hasRoom();
      },
    });
    workerPools.set(task.wireName, workerPool);
  }
  const worker = createTaskWorker(runtime, workerPools);
  const names = [...workerPools.keys()];
  worker.wake(names);
  return {
    names,
    found: worker.found,
    pollFailed: worker.pollFailed,
    wakeAll: () => worker.wake(names),
    enqueued: (dueInMs) => {
      for (const [name, delayMs] of dueInMs) if (delayMs > 0) worker.wakeIn(name, delayMs);
      worker.wake(dueInMs.flatMap(([name, delayMs]) => (delayMs > 0 ? [] : [name])));
    },
    stop: async () => {
      await worker.stop();
      await Promise.all([...workerPools.values()].map((workerPool) => workerPool.whenIdle()));
    },
    release: async () =>
      void (await Promise.all([...workerPools.values()].map((workerPool) => workerPool.release()))),
  };
};

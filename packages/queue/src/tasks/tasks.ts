import { failureFields } from '@tds/base';
import type { Task } from '@tds/contracts';
import type { StoreRuntime, TaskHandler } from '@tds/messaging/internals';
import { createWorkerPool, type WorkerPool } from '../worker-pool.ts';
import { type ClaimedTask, claimTasks, firstTaskSql, type TaskPool } from './claim-tasks.ts';
import { watchProgress } from './progress.ts';
import { runTask } from './run-task.ts';
import { releaseTasks, renewTasks } from './task-rows.ts';

export type TaskHandlers = Readonly<Record<string, TaskHandler>>;

/** Later than this, polls are precise enough. */
const TIMER_HORIZON_MS = 5_000;
/** The database decides what is due; a timer that fires a moment too early would find nothing. */
const TIMER_MARGIN_MS = 3;

/**
 * Claims what the pools have room for, one claim at a time, as often as it is woken meanwhile. It takes no second suspect before the first
 * has ended or lived for a third of its lease.
 */
const createClaims = ({ pool, log }: StoreRuntime, pools: ReadonlyMap<string, TaskPool>) => {
  let [isWoken, isStopping] = [false, false];
  let claiming: Promise<void> | undefined;
  let noSuspectBefore = 0;
  const rooms = () =>
    [...pools].flatMap(([name, { task, free }]) => {
      const limit = free();
      return limit > 0 ? [{ name, limit, leaseMs: task.leaseMs }] : [];
    });
  const claim = async (): Promise<void> => {
    while (isWoken && !isStopping) {
      isWoken = false;
      const openRooms = rooms();
      if (openRooms.length === 0) return;
      const now = performance.now();
      for (const row of await claimTasks(pool, openRooms, now >= noSuspectBefore)) {
        const taskPool = pools.get(row.name);
        if (taskPool && row.isSuspect) noSuspectBefore = now + taskPool.task.leaseMs / 3;
        taskPool?.begin(row);
      }
    }
  };
  const wake = (): void => {
    isWoken = true;
    // The next poll wakes it after a failure.
    claiming ??= claim()
      .catch((error) => log.warn('tasks could not be claimed', failureFields(error)))
      .finally(() => {
        claiming = undefined;
        // Woken between the last claim and this moment.
        if (isWoken && !isStopping) wake();
      });
  };
  return {
    wake,
    onEnded: ({ isSuspect }: ClaimedTask): void => {
      if (isSuspect) noSuspectBefore = 0;
    },
    stop: async (): Promise<void> => {
      isStopping = true;
      await claiming;
    },
  };
};

/** Runs the surface's tasks: rows are the truth, wakes and timers make it quick, polls make it certain. */
export const startTasks = (runtime: StoreRuntime, tasks: readonly Task[], handlers: TaskHandlers) => {
  const pools = new Map<string, TaskPool>();
  const all = () => [...pools.values()];
  const claims = createClaims(runtime, pools);
  const wakeIn = (ms: number): void => {
    if (ms <= 0) claims.wake();
    else if (ms <= TIMER_HORIZON_MS) setTimeout(claims.wake, ms + TIMER_MARGIN_MS).unref();
  };
  for (const task of tasks) {
    const handler = handlers[task.name];
    if (!handler) throw new Error(`${runtime.service} has no handler for ${task.wireName}`);
    const workerPool: WorkerPool<ClaimedTask> = createWorkerPool<ClaimedTask>(runtime, {
      ...{ name: task.wireName, leaseMs: task.leaseMs, concurrency: task.concurrency },
      renew: (rows) => renewTasks(runtime.pool, rows, task.leaseMs),
      work: async (row, signal) => {
        const retryAfterMs = await runTask(runtime, { task, handler, row, signal });
        if (retryAfterMs !== undefined) wakeIn(retryAfterMs);
      },
      // A full pool may have left some, and the end of one may have made the next of its partition claimable.
      onEnd: (row) => {
        claims.onEnded(row);
        if (row.isPartitioned || workerPool.free() === 1) claims.wake();
      },
    });
    pools.set(task.wireName, { ...workerPool, task });
  }
  const progress = watchProgress(runtime, pools);
  claims.wake();
  return {
    firstDue: firstTaskSql([...pools.keys()]),
    onPoll: (isDue: boolean): void => {
      progress.onPoll(isDue);
      if (isDue) claims.wake();
    },
    pollFailed: progress.forget,
    /** There may be due tasks. */
    wake: claims.wake,
    /** After a commit that enqueued some with these delays. */
    onEnqueued: (delaysMs: readonly number[]): void => delaysMs.forEach(wakeIn),
    stop: async (): Promise<void> => {
      await claims.stop();
      await Promise.all(all().map(({ whenIdle }) => whenIdle()));
    },
    /** Releases what is still leased; after `stop` took too long. */
    release: (): Promise<void> => {
      const leases = all().flatMap(({ abandon }) => abandon());
      return releaseTasks(runtime.pool, leases);
    },
  };
};

export type Tasks = ReturnType<typeof startTasks>;

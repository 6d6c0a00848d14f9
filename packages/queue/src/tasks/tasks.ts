import { failureFields } from '@tds/base';
import type { Task } from '@tds/contracts';
import type { StoreRuntime, TaskHandler } from '@tds/messaging/internals';
import { createWorkerPool, type WorkerPool } from '../worker-pool.ts';
import { type ClaimedTask, claimTasks, firstTaskOf, type TaskPool } from './claim-tasks.ts';
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
      const wanted = rooms();
      if (wanted.length === 0) return;
      const now = performance.now();
      for (const claimed of await claimTasks(pool, wanted, now >= noSuspectBefore)) {
        const found = pools.get(claimed.name);
        if (found && claimed.isSuspect) noSuspectBefore = now + found.task.leaseMs / 3;
        found?.begin(claimed);
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
    ended: ({ isSuspect }: ClaimedTask): void => {
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
    const created: WorkerPool<ClaimedTask> = createWorkerPool<ClaimedTask>(runtime, {
      ...{ name: task.wireName, leaseMs: task.leaseMs, concurrency: task.concurrency },
      renew: (rows) => renewTasks(runtime.pool, rows, task.leaseMs),
      work: async (claimed, signal) => {
        const retryAfterMs = await runTask(runtime, { task, handler, claimed, signal });
        if (retryAfterMs !== undefined) wakeIn(retryAfterMs);
      },
      // A full pool may have left some, and the end of one may have made the next of its partition claimable.
      onEnd: (claimed) => {
        claims.ended(claimed);
        if (claimed.isPartitioned || created.free() === 1) claims.wake();
      },
    });
    pools.set(task.wireName, { ...created, task });
  }
  const progress = watchProgress(runtime, pools);
  claims.wake();
  return {
    firstDue: firstTaskOf([...pools.keys()]),
    found: (isDue: boolean): void => {
      progress.found(isDue);
      if (isDue) claims.wake();
    },
    pollFailed: progress.forget,
    /** There may be due tasks. */
    wake: claims.wake,
    /** After a commit that enqueued some with these delays. */
    enqueued: (delaysMs: readonly number[]): void => delaysMs.forEach(wakeIn),
    stop: async (): Promise<void> => {
      await claims.stop();
      await Promise.all(all().map(({ whenIdle }) => whenIdle()));
    },
    /** Releases what is still leased; after `stop` took too long. */
    release: (): Promise<void> => {
      const held = all().flatMap(({ abandon }) => abandon());
      return releaseTasks(runtime.pool, held);
    },
  };
};

export type Tasks = ReturnType<typeof startTasks>;

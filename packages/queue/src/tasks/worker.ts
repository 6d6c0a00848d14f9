import { failureFields } from '@tds/base';
import type { StoreRuntime } from '@tds/messaging/internals';
import { claimTasks, type FoundTasks } from './claim-tasks.ts';
import { watchProgress } from './progress.ts';
import type { WorkerPools } from './worker-pool.ts';

/** Later than this, polls are precise enough. */
const TIMER_HORIZON_MS = 5_000;
/** The database decides what is due; a timer that fires a moment too early would find nothing. */
const TIMER_MARGIN_MS = 3;

export type TaskWorker = {
  /** There may be due tasks of these names. */
  wake(names: Iterable<string>): void;
  /** There will be one in a while. */
  wakeIn(name: string, ms: number): void;
  /** A worker pool has room again. */
  hasRoom(): void;
  found(found: FoundTasks): void;
  /** A poll has failed: nothing is known. */
  pollFailed(): void;
  /** Claims nothing any more. */
  stop(): Promise<void>;
};

/** Runs while there is something to do, once at a time. */
export const createRounds = (hasWork: () => boolean, work: () => Promise<void>) => {
  let running: Promise<void> | undefined;
  const start = (): void => {
    if (running || !hasWork()) return;
    running = work().finally(() => {
      running = undefined;
      // A wake-up between the last claim and this moment must not be forgotten.
      start();
    });
  };
  return { start, whenIdle: async (): Promise<void> => await running };
};

/** Fires when a task is due; what is due later than the horizon is left to the polls. */
const createTimers = (fire: (name: string) => void) => {
  const running = new Set<NodeJS.Timeout>();
  return {
    set: (name: string, ms: number): void => {
      if (ms > TIMER_HORIZON_MS) return;
      const timer = setTimeout(() => {
        running.delete(timer);
        fire(name);
      }, ms + TIMER_MARGIN_MS);
      timer.unref();
      running.add(timer);
    },
    clear: (): void => {
      for (const timer of running) clearTimeout(timer);
    },
  };
};

/** The woken names whose pools have room. */
const roomsOf = (workerPools: WorkerPools, woken: ReadonlySet<string>) =>
  [...woken].flatMap((name) => {
    const workerPool = workerPools.get(name);
    const limit = workerPool?.free() ?? 0;
    return workerPool && limit > 0 ? [{ workerPool, name, limit, leaseMs: workerPool.task.leaseMs }] : [];
  });

const dueNames = (names: readonly string[], { firstMs, atMs }: FoundTasks): string[] =>
  names.filter((_, place) => (firstMs[place] ?? Number.POSITIVE_INFINITY) <= atMs);

/** Claims due tasks when woken, when a timer fires, when a pool has room again, and when a poll has found some. */
export const createTaskWorker = (runtime: StoreRuntime, workerPools: WorkerPools): TaskWorker => {
  const { pool, log } = runtime;
  const names = [...workerPools.keys()];
  const progress = watchProgress(runtime, workerPools);
  const woken = new Set<string>();
  let isStopping = false;

  const rooms = () => roomsOf(workerPools, woken);
  const claim = async (): Promise<void> => {
    const wanted = rooms();
    for (const { name } of wanted) woken.delete(name);
    const claimed = await claimTasks(pool, wanted);
    for (const { workerPool, name, limit } of wanted) {
      const got = claimed.filter((task) => task.name === name);
      if (got.length === limit) woken.add(name);
      for (const task of got) void workerPool.begin(task);
    }
  };
  const hasWork = () => !isStopping && rooms().length > 0;
  const { start, whenIdle } = createRounds(hasWork, async () => {
    try {
      while (hasWork()) await claim();
    } catch (error) {
      // The next poll wakes them again.
      log.warn('tasks could not be claimed', failureFields(error));
    }
  });
  const wake = (due: Iterable<string>): void => {
    for (const name of due) if (workerPools.has(name)) woken.add(name);
    start();
  };
  const timers = createTimers((name) => wake([name]));
  return {
    wake,
    wakeIn: timers.set,
    hasRoom: start,
    found: (found) => {
      const due = dueNames(names, found);
      progress.found(due);
      wake(due);
    },
    pollFailed: progress.forget,
    stop: async () => {
      isStopping = true;
      timers.clear();
      await whenIdle();
    },
  };
};

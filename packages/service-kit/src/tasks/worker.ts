import { pauseFor } from '../async/backoff.ts';
import { failureFields } from '../errors/failure-fields.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { claimTasks } from './task-rows.ts';
import type { WorkerPool } from './worker-pool.ts';

/** Later than this, the sweep is precise enough. */
const TIMER_HORIZON_MS = 5_000;
/** The database decides what is due; a timer that fires a moment too early would find nothing. */
const TIMER_MARGIN_MS = 3;
const SWEEP_MS = 1_000;

export type TaskWorker = {
  /** Whether a new task may begin at once: not while older ones may wait for the pool's slots. */
  mayPreLease(name: string): boolean;
  /** There may be due tasks of this name. */
  wake(name: string): void;
  /** There will be one in a while. */
  wakeIn(name: string, ms: number): void;
  wakeAll(): void;
  /** A worker pool has room again. */
  hasRoom(): void;
  /** Claims nothing any more. */
  stop(): Promise<void>;
};

type WorkerPools = ReadonlyMap<string, WorkerPool>;

type Wakeful = { readonly woken: Set<string>; readonly claiming: Set<string> };

/** Claims for the woken worker pools that have room; those that got as much as they asked for stay woken. */
const claimFor = async (
  { pool }: StoreRuntime,
  workerPools: WorkerPools,
  { woken, claiming }: Wakeful,
): Promise<void> => {
  const ready = [...workerPools.values()].filter(
    (workerPool) => woken.has(workerPool.task.wireName) && workerPool.free() > 0,
  );
  const wanted = ready.map(({ task, free }) => ({
    name: task.wireName,
    limit: free(),
    leaseMs: task.leaseMs,
  }));
  for (const { name } of wanted) {
    woken.delete(name);
    claiming.add(name);
  }
  const claimed = await claimTasks(pool, wanted).finally(() => claiming.clear());
  for (const { name, limit } of wanted) {
    if (claimed.filter((task) => task.name === name).length === limit) woken.add(name);
  }
  for (const task of claimed) workerPools.get(task.name)?.begin(task);
};

/** Claims due tasks for all worker pools that were woken and have room, one statement at a time. */
const createPump = (runtime: StoreRuntime, workerPools: WorkerPools, stopping: AbortSignal) => {
  const woken = new Set<string>();
  const claiming = new Set<string>();
  let pumping: Promise<void> | undefined;
  const hasWork = () =>
    !stopping.aborted && [...woken].some((name) => (workerPools.get(name)?.free() ?? 0) > 0);
  const pump = async (): Promise<void> => {
    try {
      while (hasWork()) await claimFor(runtime, workerPools, { woken, claiming });
    } catch (error) {
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
  const wake = (name: string): void => {
    if (!workerPools.has(name)) return;
    woken.add(name);
    start();
  };
  const mayPreLease = (name: string) => !stopping.aborted && !woken.has(name) && !claiming.has(name);
  return { start, wake, mayPreLease, whenIdle: async () => void (await pumping) };
};

/** Looks for due tasks when woken, when a timer says so, when there is room again, and about every second. */
export const createTaskWorker = (runtime: StoreRuntime, workerPools: WorkerPools): TaskWorker => {
  const stopping = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const { wake, start, mayPreLease, whenIdle } = createPump(runtime, workerPools, stopping.signal);
  const wakeAll = () => {
    for (const name of workerPools.keys()) wake(name);
  };
  const sweep = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      wakeAll();
      await pauseFor(SWEEP_MS * (0.75 + Math.random() / 2), stopping.signal);
    }
  };

  const sweeping = sweep();
  return {
    mayPreLease,
    wake,
    wakeAll,
    hasRoom: start,
    wakeIn: (name, ms) => {
      if (ms > TIMER_HORIZON_MS) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        wake(name);
      }, ms + TIMER_MARGIN_MS);
      timer.unref();
      timers.add(timer);
    },
    stop: async () => {
      stopping.abort();
      for (const timer of timers) clearTimeout(timer);
      await Promise.all([sweeping, whenIdle()]);
    },
  };
};

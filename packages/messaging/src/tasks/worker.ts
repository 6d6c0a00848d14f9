import type { StoreRuntime } from '../runtime/runtime.ts';
import { createAside } from './aside.ts';
import type { FoundTasks, WantedTasks } from './claim-tasks.ts';
import { type Sweep, startSweep } from './floors.ts';
import { watchProgress } from './progress.ts';
import { createPump } from './pump.ts';
import type { WorkerPools } from './queues.ts';

/** Later than this, looks are precise enough. */
const TIMER_HORIZON_MS = 5_000;
/** The database decides what is due; a timer that fires a moment too early would find nothing. */
const TIMER_MARGIN_MS = 3;
/** Seldom: it walks over all that an old snapshot keeps in the index. */
const DEEP_LOOK_MS = 60_000;

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
  wanted(): WantedTasks;
  /** By a look for these. */
  found(found: FoundTasks): void;
  /** A look has failed: nothing is known. */
  foundNothing(): void;
  /** Claims nothing any more. */
  stop(): Promise<void>;
};

/** Fires when a task is due; what is due later than the horizon is left to the looks. */
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

const deepLookOf = (work: Sweep['work']): Sweep => ({
  everyMs: DEEP_LOOK_MS,
  isDeferred: true,
  work,
  complaint: 'tasks below the floors of claims could not be read',
});

/** Claims due tasks when woken, when a timer says so, when there is room again, and when a look has found some. */
export const createTaskWorker = (runtime: StoreRuntime, workerPools: WorkerPools): TaskWorker => {
  const stopping = new AbortController();
  const pump = createPump(runtime, workerPools, stopping.signal);
  const { forget } = pump.floors;
  // The database that comes back may be an older copy.
  runtime.pool.on('error', forget);
  const stopListening = runtime.database.onSwap('floors of claims', forget);
  const aside = createAside(runtime, workerPools, pump.wake);
  const progress = watchProgress(runtime, pump, workerPools);
  const sweeping = startSweep(runtime, deepLookOf(pump.lookDeep), stopping.signal);
  const isPartitioned = (name: string): boolean =>
    workerPools.get(name)?.task.maxInFlightPerPartition !== undefined;
  const timers = createTimers((name) => {
    pump.wake(name);
    // A parked one is not claimable yet.
    if (isPartitioned(name)) aside.admitSoon(name);
  });
  return {
    mayPreLease: pump.mayPreLease,
    wake: pump.wake,
    wakeAll: pump.wakeAll,
    hasRoom: pump.start,
    wanted: () => {
      const tasks = [...workerPools.keys()];
      return { tasks, floorsMs: tasks.map(pump.floors.of) };
    },
    found: (found) => {
      if (stopping.signal.aborted) return;
      const dueNames = pump.saw([...workerPools.keys()], found);
      progress.found(dueNames);
      aside.found(found, stopping.signal);
    },
    foundNothing: () => {
      forget();
      progress.forget();
    },
    wakeIn: timers.set,
    stop: async () => {
      stopping.abort();
      runtime.pool.off('error', forget);
      stopListening();
      timers.clear();
      await Promise.all([sweeping, pump.whenIdle()]);
      await aside.whenIdle();
    },
  };
};

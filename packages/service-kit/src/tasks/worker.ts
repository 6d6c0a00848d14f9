import type { StoreRuntime } from '../runtime/runtime.ts';
import { type Aside, createAside, NOT_ADMITTED } from './aside.ts';
import { checkSlots } from './held-slots.ts';
import { createProgress, oldestDue } from './progress.ts';
import { createPump, type Pump } from './pump.ts';
import type { WorkerPools } from './queues.ts';
import { type Sweep, startSweep } from './sweeps.ts';

/** Later than this, the sweep is precise enough. */
const TIMER_HORIZON_MS = 5_000;
/** The database decides what is due; a timer that fires a moment too early would find nothing. */
const TIMER_MARGIN_MS = 3;
const SWEEP_MS = 1_000;
/** Seldom: it walks over all that an old snapshot keeps in the index. */
const DEEP_LOOK_MS = 60_000;
const PROGRESS_LOOK_MS = 5_000;
const NO_PROGRESS_MS = 60_000;

const sweepsOf = (pump: Pump, aside: Aside, stopping: AbortSignal): Sweep[] => [
  {
    everyMs: SWEEP_MS,
    work: async () => {
      pump.wakeAll();
      await aside.look(stopping);
    },
    complaint: NOT_ADMITTED,
  },
  {
    everyMs: DEEP_LOOK_MS,
    isDeferred: true,
    work: pump.lookDeep,
    complaint: 'what is below the floors of claims could not be looked at',
  },
];

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

/** Looks whether what is due begins: for /ready, and as a gauge. */
const watchProgress = (
  { pool, metrics, checks }: StoreRuntime,
  { floors, mayBegin }: Pump,
  workerPools: WorkerPools,
): Sweep => {
  const progress = createProgress({
    limitMs: NO_PROGRESS_MS,
    hasRoom: (name) => mayBegin() && (workerPools.get(name)?.free() ?? 0) > 0,
    now: () => performance.now(),
  });
  checks.set('tasks', progress.check);
  checks.set('slots', () => checkSlots(workerPools.values()));
  return {
    everyMs: PROGRESS_LOOK_MS,
    work: async () => {
      const oldest = await oldestDue(pool, floors, [...workerPools.keys()]).catch((error) => {
        progress.forget();
        throw error;
      });
      progress.saw(oldest);
      for (const { name, dueSeconds } of oldest) metrics.oldestDue.set({ name }, dueSeconds);
    },
    complaint: 'the progress of tasks is not known',
  };
};

/** Fires when a task is due; what is due later than the horizon is left to the sweep. */
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

/** Looks for due tasks when woken, when a timer says so, when there is room again, and about every second. */
export const createTaskWorker = (runtime: StoreRuntime, workerPools: WorkerPools): TaskWorker => {
  const stopping = new AbortController();
  const pump = createPump(runtime, workerPools, stopping.signal);
  const { forget } = pump.floors;
  // What comes back may be a copy from before.
  runtime.pool.on('error', forget);
  const stopListening = runtime.database.onSwap('floors of claims', forget);
  const aside = createAside(runtime, workerPools, pump.wake);
  const sweeps = [...sweepsOf(pump, aside, stopping.signal), watchProgress(runtime, pump, workerPools)];
  const sweeping = sweeps.map((sweep) => startSweep(runtime, sweep, stopping.signal));
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
    wakeIn: timers.set,
    stop: async () => {
      stopping.abort();
      runtime.pool.off('error', forget);
      stopListening();
      timers.clear();
      await Promise.all([...sweeping, pump.whenIdle()]);
      await aside.whenIdle();
    },
  };
};

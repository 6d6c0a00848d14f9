import { failureFields } from '../errors/failure-fields.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { INTERACTIVE } from './new-task.ts';
import { createProgress, oldestDue } from './progress.ts';
import { createPump, type Pump } from './pump.ts';
import type { WorkerPools } from './queues.ts';
import { createSuspects, type Suspects } from './suspects.ts';
import { type Sweep, startSweep } from './sweeps.ts';
import { admitParked } from './task-rows.ts';

/** Later than this, the sweep is precise enough. */
const TIMER_HORIZON_MS = 5_000;
/** The database decides what is due; a timer that fires a moment too early would find nothing. */
const TIMER_MARGIN_MS = 3;
const SWEEP_MS = 1_000;
/** Seldom: it walks over all that an old snapshot keeps in the index. */
const DEEP_LOOK_MS = 60_000;
const PROGRESS_LOOK_MS = 5_000;
/** Longer than a suspect may hold the others up. */
const NO_PROGRESS_MS = 60_000;
const NOT_ADMITTED = 'parked tasks could not be admitted';

type Swept = { readonly pump: Pump; readonly suspects: Suspects; readonly stopping: AbortSignal };

const sweepsOf = ({ pump, suspects, stopping }: Swept, admitAll: () => Promise<void>): Sweep[] => [
  {
    everyMs: SWEEP_MS,
    work: async () => {
      pump.wakeAll();
      await admitAll();
    },
    complaint: NOT_ADMITTED,
  },
  {
    everyMs: SWEEP_MS,
    isDeferred: true,
    work: () => suspects.look(stopping),
    complaint: 'suspects could not be looked for',
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
    hasRoom: (name) => mayBegin() && (workerPools.get(name)?.free(INTERACTIVE) ?? 0) > 0,
    now: () => performance.now(),
  });
  checks.set('tasks', progress.check);
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
  const suspects = createSuspects(runtime, workerPools, pump);
  const admit = async (names: readonly string[]): Promise<void> => {
    for (const name of await admitParked(runtime.pool, names)) pump.wake(name);
  };
  const sweeps = sweepsOf({ pump, suspects, stopping: stopping.signal }, () =>
    admit([...workerPools.keys()]),
  );
  const sweeping = [...sweeps, watchProgress(runtime, pump, workerPools)].map((sweep) =>
    startSweep(runtime, sweep, stopping.signal),
  );
  const ending = new Set<Promise<void>>();
  const admitOne = (name: string): void => {
    const admitting: Promise<void> = admit([name])
      // The sweep tries again within a second.
      .catch((error) => runtime.log.warn(NOT_ADMITTED, failureFields(error)))
      .finally(() => ending.delete(admitting));
    ending.add(admitting);
  };
  const isPartitioned = (name: string): boolean =>
    workerPools.get(name)?.task.maxInFlightPerPartition !== undefined;
  const timers = createTimers((name) => {
    pump.wake(name);
    // A parked one is not claimable yet.
    if (isPartitioned(name)) admitOne(name);
  });
  return {
    mayPreLease: pump.mayPreLease,
    wake: pump.wake,
    wakeAll: pump.wakeAll,
    hasRoom: pump.start,
    wakeIn: timers.set,
    stop: async () => {
      stopping.abort();
      timers.clear();
      await Promise.all([...sweeping, ...ending, pump.whenIdle()]);
    },
  };
};

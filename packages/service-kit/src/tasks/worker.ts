import { pauseFor } from '../async/backoff.ts';
import { failureFields } from '../errors/failure-fields.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { createPump, type WorkerPools } from './pump.ts';
import { admitParked } from './task-rows.ts';

/** Later than this, the sweep is precise enough. */
const TIMER_HORIZON_MS = 5_000;
/** The database decides what is due; a timer that fires a moment too early would find nothing. */
const TIMER_MARGIN_MS = 3;
const SWEEP_MS = 1_000;
/** Seldom: it walks over all that an old snapshot keeps in the index. */
const DEEP_LOOK_MS = 60_000;
const aboutEvery = (ms: number): number => ms * (0.75 + Math.random() / 2);

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

/** Looks for due tasks when woken, when a timer says so, when there is room again, and about every second. */
export const createTaskWorker = (runtime: StoreRuntime, workerPools: WorkerPools): TaskWorker => {
  const stopping = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const { wake, wakeAll, start, mayPreLease, whenIdle, lookDeep } = createPump(
    runtime,
    workerPools,
    stopping.signal,
  );
  const admit = async (names: readonly string[]): Promise<void> => {
    try {
      for (const name of await admitParked(runtime.pool, names)) wake(name);
    } catch (error) {
      // The sweep tries again within a second.
      runtime.log.warn('parked tasks could not be admitted', failureFields(error));
    }
  };
  const sweep = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      wakeAll();
      await admit([...workerPools.keys()]);
      await pauseFor(aboutEvery(SWEEP_MS), stopping.signal);
    }
  };
  const lookDeepEverySoOften = async (): Promise<void> => {
    for (;;) {
      await pauseFor(aboutEvery(DEEP_LOOK_MS), stopping.signal);
      if (stopping.signal.aborted) return;
      await lookDeep().catch((error) =>
        runtime.log.warn('what is below the floors of claims could not be looked at', failureFields(error)),
      );
    }
  };
  const isPartitioned = (name: string): boolean =>
    workerPools.get(name)?.task.maxInFlightPerPartition !== undefined;

  const sweeping = Promise.all([sweep(), lookDeepEverySoOften()]);
  const ending = new Set<Promise<void>>();
  const admitOne = (name: string): void => {
    const admitting: Promise<void> = admit([name]).finally(() => ending.delete(admitting));
    ending.add(admitting);
  };
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
        // A parked one is not claimable yet.
        if (isPartitioned(name)) admitOne(name);
      }, ms + TIMER_MARGIN_MS);
      timer.unref();
      timers.add(timer);
    },
    stop: async () => {
      stopping.abort();
      for (const timer of timers) clearTimeout(timer);
      await Promise.all([sweeping, ...ending, whenIdle()]);
    },
  };
};

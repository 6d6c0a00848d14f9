import { pauseFor } from '../async/backoff.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { claimSuspect, hasSuspect } from './claim-tasks.ts';
import type { Pump } from './pump.ts';
import type { WorkerPools } from './queues.ts';

/** What kills a process mostly does so soon; after that others begin beside it again. */
const ALONE_MS = 10_000;
/** How long nothing is begun, so that what is under way ends; the next time twice as long, if it was not enough. */
const DRAIN_MS = { least: 5_000, most: 40_000 };
/** For the others, after each suspect and after each try. */
const REST_MS = 1_000;

export type Suspects = {
  /** Runs one suspect that is due, if there is any. */
  look(signal: AbortSignal): Promise<void>;
};

/** Whether it happened before the time was over, or the signal fired. */
const within = async (happens: Promise<unknown>, ms: number, signal: AbortSignal): Promise<boolean> => {
  const enough = new AbortController();
  const inTime = happens.then(() => true);
  const tooLate = pauseFor(ms, AbortSignal.any([signal, enough.signal])).then(() => false);
  try {
    return await Promise.race([inTime, tooLate]);
  } finally {
    enough.abort();
  }
};

/**
 * Tasks that were running when their process died twice, or vanished otherwise, run when no other task of this process does. So
 * they take nobody with them if they are what kills it, and are cleared for all to see if they are not.
 */
export const createSuspects = (
  runtime: StoreRuntime,
  workerPools: WorkerPools,
  pump: Pick<Pump, 'hold' | 'whenIdle'>,
): Suspects => {
  let drainMs = DRAIN_MS.least;
  const whenIdle = async (): Promise<void> => {
    await pump.whenIdle();
    await Promise.all([...workerPools.values()].map((workerPool) => workerPool.whenIdle()));
  };
  const served = () =>
    [...workerPools.values()].map(({ task: { wireName: name, leaseMs } }) => ({ name, leaseMs }));
  const runAlone = async (signal: AbortSignal): Promise<void> => {
    const isIdle = await within(whenIdle(), drainMs, signal);
    drainMs = isIdle ? DRAIN_MS.least : Math.min(drainMs * 2, DRAIN_MS.most);
    if (!isIdle || signal.aborted) return;
    const suspect = await claimSuspect(runtime.pool, served());
    if (!suspect) return;
    workerPools.get(suspect.name)?.begin(suspect);
    await within(whenIdle(), ALONE_MS, signal);
  };
  return {
    look: async (signal) => {
      if (!(await hasSuspect(runtime.pool, [...workerPools.keys()]))) return;
      const release = pump.hold();
      try {
        await runAlone(signal);
      } finally {
        release();
      }
      await pauseFor(REST_MS, signal);
    },
  };
};

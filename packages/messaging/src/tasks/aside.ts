import { failureFields } from '@tds/base';
import { pauseFor } from '@tds/base/internals';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { type ClaimedTask, claimSuspects, type FoundTasks } from './claim-tasks.ts';
import type { WorkerPools } from './queues.ts';
import { admitParked } from './task-rows.ts';

/** A task that kills its process mostly does so soon after its start; the next suspects begin after that. */
const PROBATION_MS = 3_000;

type Suspects = {
  /** Runs the suspects that are due, if there are any. */
  look(signal: AbortSignal): Promise<void>;
};

/**
 * Tasks that were running when their process died twice, or vanished otherwise, begin one at a time, beside all other work; after
 * each probation that the process survives, twice as many. So a killer is soon the only one that all deaths have in common,
 * and 250 innocent ones are all begun within eight probations. They take no slot from others: these hold the slots for as
 * long as they like.
 */
export const createSuspects = (
  { pool }: StoreRuntime,
  workerPools: WorkerPools,
  probationMs = PROBATION_MS,
): Suspects => {
  const claim = (most: number): Promise<ClaimedTask[]> => {
    const tasks = [...workerPools.values()].map(({ task }) => task);
    const served = tasks.map(({ wireName, leaseMs }) => ({ name: wireName, leaseMs }));
    return claimSuspects(pool, served, most);
  };
  /** Resolves when they have ended, or their probation has. */
  const onProbation = async (runs: readonly Promise<void>[], signal: AbortSignal): Promise<void> => {
    const allEnded = new AbortController();
    const ended = Promise.all(runs).then(() => allEnded.abort());
    await Promise.race([ended, pauseFor(probationMs, AbortSignal.any([signal, allEnded.signal]))]);
  };
  return {
    look: async (signal) => {
      for (let most = 1; !signal.aborted; most *= 2) {
        const suspects = await claim(most);
        if (suspects.length === 0) return;
        const runs = suspects.flatMap((suspect) => workerPools.get(suspect.name)?.begin(suspect) ?? []);
        await onProbation(runs, signal);
      }
    },
  };
};

const NOT_ADMITTED = 'parked tasks could not be admitted';

/** Begins nothing while it is at it. */
const createOneAtATime = <Given>(work: (given: Given) => Promise<void>) => {
  let isBusy = false;
  return (given: Given): void => {
    if (isBusy) return;
    isBusy = true;
    void work(given).finally(() => {
      isBusy = false;
    });
  };
};

/** Starts tasks that claims leave out: parked tasks whose time has come, and suspects. */
export const createAside = (
  runtime: StoreRuntime,
  workerPools: WorkerPools,
  wake: (name: string) => void,
) => {
  const suspects = createSuspects(runtime, workerPools);
  const underWay = new Set<Promise<void>>();
  /** Runs in the background; failures are retried after the next poll. */
  const begin = (work: Promise<void>, complaint: string): Promise<void> => {
    const ended: Promise<void> = work
      .catch((error) => runtime.log.warn(complaint, failureFields(error)))
      .finally(() => underWay.delete(ended));
    underWay.add(ended);
    return ended;
  };
  const admit = async (names: readonly string[]): Promise<void> => {
    for (const name of await admitParked(runtime.pool, names)) wake(name);
  };
  const admitting = createOneAtATime((names: readonly string[]) => begin(admit(names), NOT_ADMITTED));
  const lookForSuspects = createOneAtATime((stopping: AbortSignal) =>
    begin(suspects.look(stopping), 'suspects could not be begun'),
  );
  return {
    admitSoon: (name: string): void => void begin(admit([name]), NOT_ADMITTED),
    found: (
      { parked, hasSuspects }: Pick<FoundTasks, 'parked' | 'hasSuspects'>,
      stopping: AbortSignal,
    ): void => {
      if (hasSuspects) lookForSuspects(stopping);
      if (parked.length > 0) admitting(parked);
    },
    whenIdle: async (): Promise<void> => void (await Promise.all(underWay)),
  };
};

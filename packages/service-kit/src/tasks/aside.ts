import { failureFields } from '../errors/failure-fields.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { lookAside } from './claim-tasks.ts';
import type { WorkerPools } from './queues.ts';
import { createSuspects } from './suspects.ts';
import { admitParked } from './task-rows.ts';

export const NOT_ADMITTED = 'parked tasks could not be admitted';

export type Aside = ReturnType<typeof createAside>;

/** What is begun past the claims: parked tasks whose time has come, and suspects. */
export const createAside = (
  runtime: StoreRuntime,
  workerPools: WorkerPools,
  wake: (name: string) => void,
) => {
  const suspects = createSuspects(runtime, workerPools);
  const underWay = new Set<Promise<void>>();
  /** Beside the caller; what fails is tried again by the sweep, within a second. */
  const begin = (work: Promise<void>, complaint: string): void => {
    const ended: Promise<void> = work
      .catch((error) => runtime.log.warn(complaint, failureFields(error)))
      .finally(() => underWay.delete(ended));
    underWay.add(ended);
  };
  let isLooking = false;
  const lookForSuspects = async (stopping: AbortSignal): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    await suspects.look(stopping).finally(() => {
      isLooking = false;
    });
  };
  const admit = async (names: readonly string[]): Promise<void> => {
    for (const name of await admitParked(runtime.pool, names)) wake(name);
  };
  return {
    admitSoon: (name: string): void => begin(admit([name]), NOT_ADMITTED),
    look: async (stopping: AbortSignal): Promise<void> => {
      const { parked, hasSuspects } = await lookAside(runtime.pool, [...workerPools.keys()]);
      if (hasSuspects) begin(lookForSuspects(stopping), 'suspects could not be begun');
      if (parked.length > 0) await admit(parked);
    },
    whenIdle: async (): Promise<void> => void (await Promise.all(underWay)),
  };
};

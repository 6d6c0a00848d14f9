import { failureFields } from '../errors/failure-fields.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import type { FoundTasks } from './found-tasks.ts';
import type { WorkerPools } from './queues.ts';
import { createSuspects } from './suspects.ts';
import { admitParked } from './task-rows.ts';

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

/** What is begun past the claims: parked tasks whose time has come, and suspects. */
export const createAside = (
  runtime: StoreRuntime,
  workerPools: WorkerPools,
  wake: (name: string) => void,
) => {
  const suspects = createSuspects(runtime, workerPools);
  const underWay = new Set<Promise<void>>();
  /** Beside the caller; what fails is tried again after the next look. */
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

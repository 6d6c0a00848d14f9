import { failureFields } from '../errors/failure-fields.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { checkSlots } from './held-slots.ts';
import { createProgress, oldestDue } from './progress.ts';
import type { Pump } from './pump.ts';
import type { WorkerPools } from './queues.ts';

const LOOK_MS = 5_000;
const NO_PROGRESS_MS = 60_000;

/** Looks whether what is due begins, some time after the last such look: for /ready, and as a gauge. */
export const watchProgress = (
  { pool, metrics, checks, log }: StoreRuntime,
  { floors, mayBegin }: Pump,
  workerPools: WorkerPools,
) => {
  const progress = createProgress({
    limitMs: NO_PROGRESS_MS,
    hasRoom: (name) => mayBegin() && (workerPools.get(name)?.free() ?? 0) > 0,
    now: () => performance.now(),
  });
  checks.set('tasks', progress.check);
  checks.set('slots', () => checkSlots(workerPools.values()));
  let nextAt = 0;
  const look = async (names: readonly string[]): Promise<void> => {
    const oldest = names.length === 0 ? [] : await oldestDue(pool, floors, names);
    progress.saw(oldest);
    const secondsOf = new Map(oldest.map(({ name, dueSeconds }) => [name, dueSeconds]));
    for (const name of workerPools.keys()) metrics.oldestDue.set({ name }, secondsOf.get(name) ?? 0);
  };
  return {
    /** By a look: names of which something is due. */
    found: (names: readonly string[]): void => {
      if (performance.now() < nextAt) return;
      nextAt = performance.now() + LOOK_MS;
      void look(names).catch((error) => {
        progress.forget();
        log.warn('the progress of tasks is not known', failureFields(error));
      });
    },
    /** Nothing is known. */
    forget: progress.forget,
  };
};

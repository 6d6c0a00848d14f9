import type { StoreRuntime } from '../runtime/runtime.ts';
import { checkSlots } from './held-slots.ts';
import { createProgress, oldestDue } from './progress.ts';
import type { Pump } from './pump.ts';
import type { WorkerPools } from './queues.ts';
import type { Sweep } from './sweeps.ts';

const LOOK_MS = 5_000;
const NO_PROGRESS_MS = 60_000;

/** Looks whether what is due begins: for /ready, and as a gauge. */
export const watchProgress = (
  { pool, metrics, checks }: StoreRuntime,
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
  /** As the latest look has found them; undefined if none has succeeded since they were taken from here. */
  let due: readonly string[] | undefined;
  const look = async (): Promise<void> => {
    const names = due;
    due = undefined;
    if (!names) return progress.forget();
    const oldest = names.length === 0 ? [] : await oldestDue(pool, floors, names);
    progress.saw(oldest);
    const secondsOf = new Map(oldest.map(({ name, dueSeconds }) => [name, dueSeconds]));
    for (const name of workerPools.keys()) metrics.oldestDue.set({ name }, secondsOf.get(name) ?? 0);
  };
  const sweep: Sweep = {
    everyMs: LOOK_MS,
    work: () =>
      look().catch((error) => {
        progress.forget();
        throw error;
      }),
    complaint: 'the progress of tasks is not known',
  };
  return {
    sweep,
    found: (names: readonly string[] | undefined): void => {
      due = names;
    },
  };
};

import { pauseFor } from '../async/backoff.ts';
import { failureFields } from '../errors/failure-fields.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';

/** Instances do not look at the same moment. */
export const about = (ms: number): number => ms * (0.75 + Math.random() / 2);

export type Sweep = {
  readonly everyMs: number;
  /** Not before the first pause. */
  readonly isDeferred?: boolean;
  readonly work: () => Promise<void>;
  /** What the log says if it could not be done. */
  readonly complaint: string;
};

/** Does something again and again until `stopping`; what fails is tried again the next time. */
export const startSweep = async (
  { log }: StoreRuntime,
  { everyMs, isDeferred = false, work, complaint }: Sweep,
  stopping: AbortSignal,
): Promise<void> => {
  if (isDeferred) await pauseFor(about(everyMs), stopping);
  while (!stopping.aborted) {
    await work().catch((error) => log.warn(complaint, failureFields(error)));
    await pauseFor(about(everyMs), stopping);
  }
};

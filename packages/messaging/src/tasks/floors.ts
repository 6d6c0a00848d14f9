import { failureFields } from '@tds/base';
import { pauseFor } from '@tds/base/internals';
import type { StoreRuntime } from '../runtime/runtime.ts';

/** The moment of a claim, by the database's clock and its transactions. */
export type Look = {
  readonly atMs: number;
  /** Every transaction with a smaller id has ended. */
  readonly xmin: number;
  /** No transaction with this id or a greater one had begun to write. */
  readonly xmax: number;
};

/**
 * For each name a moment before which no task is free for any worker. Claims start there, so that they walk over
 * nothing that has been done before: not even while an old snapshot keeps all of it in the index.
 */
export type Floors = {
  /** Milliseconds since 1970; -Infinity if nothing is known. */
  of(name: string): number;
  /** Reports a claim that began at the floor: the first task of this name, taken or not, is free from then on. */
  saw(look: Look, name: string, freeFromMs: number | null): void;
  /** Lowers the floor to the free time of a found task. */
  lower(name: string, freeFromMs: number): boolean;
  /** Forgets all floors, because the database was unreachable and may have been replaced. */
  forget(): void;
};

/** From the moment that a task is given to the first write of its transaction, and what clocks may be set back by. */
const MARGIN_MS = 1_000;
/** The rounding error of a database time as a number of milliseconds. */
const ROUNDING_MS = 0.002;
/** Transactions of the kit are given up before. For what takes longer, and for rows written by hand, there is the deep look. */
const LONGEST_TRANSACTION_MS = 30_000;

/** Up to when every task is known that is free by then: a transaction that is still open may have saved one. */
const createHorizon = () => {
  let settledMs = Number.NEGATIVE_INFINITY;
  let waitingFor: Look | undefined;
  return {
    settledMs: () => settledMs,
    saw: (look: Look): void => {
      if (look.xmin >= look.xmax) {
        settledMs = look.atMs;
        waitingFor = undefined;
        return;
      }
      if (waitingFor) {
        const isOld = look.atMs - waitingFor.atMs > LONGEST_TRANSACTION_MS;
        if (look.xmin < waitingFor.xmax && !isOld) return;
        settledMs = waitingFor.atMs;
      }
      waitingFor = look;
    },
  };
};

export const createFloors = (): Floors => {
  const floors = new Map<string, number>();
  let horizon = createHorizon();
  let latestMs = Number.NEGATIVE_INFINITY;
  const forget = (): void => {
    floors.clear();
    horizon = createHorizon();
    latestMs = Number.NEGATIVE_INFINITY;
  };
  return {
    forget,
    of: (name) => floors.get(name) ?? Number.NEGATIVE_INFINITY,
    saw: (look, name, freeFromMs) => {
      if (look.atMs < latestMs - MARGIN_MS / 2) forget();
      latestMs = Math.max(latestMs, look.atMs);
      horizon.saw(look);
      const first = freeFromMs === null ? Number.POSITIVE_INFINITY : freeFromMs - ROUNDING_MS;
      floors.set(name, Math.min(first, horizon.settledMs() - MARGIN_MS));
    },
    lower: (name, freeFromMs) => {
      const isBelow = freeFromMs < (floors.get(name) ?? Number.NEGATIVE_INFINITY);
      if (isBelow) floors.set(name, freeFromMs - ROUNDING_MS);
      return isBelow;
    },
  };
};

/** Instances do not look at the same moment. */
export const about = (ms: number): number => ms * (0.75 + Math.random() / 2);

export type Sweep = {
  readonly everyMs: number;
  /** Not before the first pause. */
  readonly isDeferred?: boolean;
  readonly work: () => Promise<void>;
  /** The log text of a failure. */
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

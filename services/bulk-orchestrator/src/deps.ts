import type { Kit } from '@tds/kit';
import type { CountRows } from './application/measure-jobs.ts';
import type { Progress } from './application/progress.ts';
import type { Database } from './store/database.ts';
import type { Surface } from './surface.ts';

export type Deps = Pick<Kit<Surface>, 'call' | 'messaging' | 'log'> & {
  readonly db: Database;
  readonly pool: Kit<Surface>['db'];
  readonly progress: Progress;
  /** Reads changes of jobs up to a version: after a hint to all instances, or after an answer to this one. */
  readonly changes: {
    hear(jobId: string, version: number, isOver?: boolean): void;
    read(jobId: string, version: number): void;
  };
  readonly limits: Limits;
  readonly countRows: CountRows;
  /** The next full comparison of batches and jobs, on the clock of `performance.now()`, and the wait after it. */
  readonly reconciliation: { nextAt: number; intervalMs: number };
};

/** Tests override these. */
export type Limits = {
  /** The wait of a repeat for the first request with its Idempotency-Key. */
  readonly repeatWaitMs: number;
  /** A job without changes for this long is compared with its batch. */
  readonly unheardMs: number;
  /** The least interval between hints, and between reads of changes, of one job. */
  readonly pulseMs: number;
};

export type Overrides = { readonly limits?: Partial<Limits> };

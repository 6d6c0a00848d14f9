import type { Context, Kit } from '@tds/service-kit';
import type { CountRows } from './application/measure-jobs.ts';
import type { Progress } from './application/progress.ts';
import type { Database } from './store/database.ts';
import type { Surface } from './surface.ts';

/** On whose behalf another service is asked, and for how long. */
export type CallContext = Pick<Context, 'requestId' | 'accountId' | 'signal'>;

/** What handlers work with. */
export type Deps = Pick<Kit<Surface>, 'call' | 'messaging' | 'log'> & {
  readonly db: Database;
  readonly progress: Progress;
  /** Of jobs that somebody has told of. */
  readonly news: { hear(jobId: string, version: number, isOver?: boolean): void };
  readonly limits: Limits;
  readonly countRows: CountRows;
  /** When this process compares all lines with all jobs again, by `performance.now()`, and how long after that. */
  readonly reconciled: { nextAt: number; thenInMs: number };
};

/** What this service alone decides; tests change it. */
export type Limits = {
  /** How long a repeat waits for the first request with its Idempotency-Key. */
  readonly repeatWaitMs: number;
  /** A job that was not heard of for so long is compared with its line. */
  readonly unheardMs: number;
  /** Hints and news of one job are so far apart. */
  readonly pulseMs: number;
};

/** What tests put in the place of the real thing. */
export type Overrides = { readonly limits?: Partial<Limits> };

import type { Kit } from '@tds/service-kit';
import { type CountRows, measureJobs } from './application/measure-jobs.ts';
import { createNews, type News } from './application/news.ts';
import { createProgress, type Progress } from './application/progress.ts';
import { createDatabase, type Database } from './store/database.ts';
import type { Surface } from './surface.ts';

/** What handlers work with. */
export type Deps = {
  readonly kit: Kit<Surface>;
  readonly db: Database;
  readonly progress: Progress;
  readonly news: News;
  readonly limits: Limits;
  readonly countRows: CountRows;
  /** When this process compares all lines with all jobs again, by `performance.now()`. */
  readonly reconciled: { nextAt: number };
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

const defaultLimits: Limits = { repeatWaitMs: 25_000, unheardMs: 5_000, pulseMs: 250 };

export const createDeps = (
  kit: Kit<Surface>,
  _environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps => {
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const limits = { ...defaultLimits, ...overrides.limits };
  const progress = createProgress(kit.messaging, limits.pulseMs);
  kit.onStop('progress', async () => progress.stop());
  const news = createNews(() => deps, limits.pulseMs);
  kit.onStop('news', async () => news.stop());
  const reconciled = { nextAt: 0 };
  kit.onDatabaseSwapped('lines', () => {
    reconciled.nextAt = 0;
  });
  const countRows = measureJobs(kit, db);
  const deps: Deps = { kit, db, progress, news, limits, countRows, reconciled };
  return deps;
};

import type { Kit } from '@tds/service-kit';
import { createProgress, type Progress } from './application/progress.ts';
import { type Config, readConfig } from './config.ts';
import { createDatabase, type Database } from './store/database.ts';
import type { Surface } from './surface.ts';

/** What handlers work with. */
export type Deps = {
  readonly kit: Kit<Surface>;
  readonly config: Config;
  readonly db: Database;
  readonly progress: Progress;
  readonly limits: Limits;
  readonly now: () => Date;
};

/** What this service alone decides; tests change it. */
export type Limits = {
  /** Cold rows of one job that are at the fetcher at once: more than its share there, so that it never waits for us. */
  readonly coldWindow: number;
  /** As long as there are any there, so many more are claimed at once: the costs of a claim are per claim. */
  readonly coldClaim: number;
  /** Rows of one job that are at the fetcher at once, cached ones included. */
  readonly window: number;
  /** How long the fetcher may wait for the next row that ends. */
  readonly fetchWaitMs: number;
  /** How long a repeat waits for the first request with its Idempotency-Key. */
  readonly repeatWaitMs: number;
  /** A job that nobody has accepted or touched for so long has been lost by somebody. */
  readonly abandonedMs: number;
  /** How long a paused job without credits waits before the balance is asked for again. */
  readonly creditsAgainMs: number;
  /** Hints of one job are so far apart. */
  readonly progressEveryMs: number;
};

/** What tests put in the place of the real thing. */
export type Overrides = Partial<Pick<Deps, 'now'>> & { readonly limits?: Partial<Limits> };

const defaultLimits: Limits = {
  coldWindow: 96,
  coldClaim: 32,
  window: 500,
  fetchWaitMs: 20_000,
  repeatWaitMs: 25_000,
  abandonedMs: 60_000,
  creditsAgainMs: 60_000,
  progressEveryMs: 250,
};

export const createDeps = (
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps => {
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const limits = { ...defaultLimits, ...overrides.limits };
  const progress = createProgress(kit.messaging, limits.progressEveryMs);
  kit.onStop('progress', async () => progress.stop());
  return {
    ...{ kit, db, progress, limits },
    config: readConfig(environment),
    now: overrides.now ?? (() => new Date()),
  };
};

import type { Kit, Messaging } from '@tds/service-kit';
import { createRollingLatency, type RollingLatency } from './application/rolling-latency.ts';
import { createDatabase, type Database, readClock } from './store/database.ts';
import type { Surface } from './surface.ts';

/** What handlers work with. */
export type Deps = {
  readonly db: Database;
  readonly messaging: Messaging<Surface>;
  readonly latency: RollingLatency;
  /** The database's clock. */
  readonly now: () => Promise<Date>;
};

/** What tests put in the place of the real thing. */
export type Overrides = Partial<Pick<Deps, 'now'>>;

export const createDeps = (
  kit: Kit<Surface>,
  _environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps => {
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const latency = createRollingLatency(db);
  return { db, messaging: kit.messaging, latency, now: () => readClock(db), ...overrides };
};

import { readDatabaseClock } from '@tds/base';
import type { Kit } from '@tds/kit';
import { createRollingLatency } from './application/status.ts';
import type { Deps, Overrides } from './deps.ts';
import { createDatabase } from './store/database.ts';
import { overdueObservations } from './store/observations.ts';
import type { Surface } from './surface.ts';

export const createDeps = (
  kit: Kit<Surface>,
  _environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps => {
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  kit.onBacklog('observations', () => overdueObservations(db));
  const latency = createRollingLatency(db);
  return { db, messaging: kit.messaging, latency, now: () => readDatabaseClock(db), ...overrides };
};

import type { Kit } from '@tds/service-kit';
import { readConfig } from './config.ts';
import { createDatabase, type Database } from './store/database.ts';
import type { Surface } from './surface.ts';
import { openPlatform, type Platform } from './upstream/platform.ts';

/** What handlers work with. */
export type Deps = Pick<Kit<Surface>, 'call' | 'messaging' | 'log'> & {
  /** For claims of rows that are due. */
  readonly pool: Kit<Surface>['db'];
  readonly db: Database;
  readonly platform: Platform;
  readonly feedsAtOnce: number;
};

/** What tests put in the place of the real thing. */
export type Overrides = Partial<Pick<Deps, 'platform'>>;

export const createDeps = (
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps => {
  const config = readConfig(environment);
  const { call, messaging, log, db: pool } = kit;
  const db = createDatabase(pool);
  kit.onStop('prisma', () => db.$disconnect());
  const platform = overrides.platform ?? openPlatform(kit, config);
  return { call, messaging, log, pool, db, platform, feedsAtOnce: config.feedsAtOnce };
};

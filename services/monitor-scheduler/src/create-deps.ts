import type { Kit } from '@tds/kit';
import { readConfig } from './config.ts';
import type { Deps, Overrides } from './deps.ts';
import { createDatabase } from './store/database.ts';
import { feedQueue } from './store/feeds.ts';
import { actionQueue, monitorQueue } from './store/monitor-turns.ts';
import { createLookUps } from './store/videos.ts';
import type { Surface } from './surface.ts';
import { openPlatform } from './upstream/platform.ts';

export const createDeps = (
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps => {
  const config = readConfig(environment);
  const { call, messaging, log, db: pool } = kit;
  const db = createDatabase(pool);
  kit.onStop('prisma', () => db.$disconnect());
  const lookUp = createLookUps(db);
  kit.onDue('checkFeeds', feedQueue.firstDue);
  kit.onDue('serveMonitors', monitorQueue.firstDue);
  kit.onDue('runActions', actionQueue.firstDue);
  kit.onBacklog('feeds', () => feedQueue.overdue(pool));
  kit.onBacklog('turns', () => monitorQueue.overdue(pool));
  kit.onBacklog('actions', () => actionQueue.overdue(pool));
  const platform = overrides.platform ?? openPlatform(kit, config);
  return { call, messaging, log, pool, db, lookUp, platform, feeds: config.feeds };
};

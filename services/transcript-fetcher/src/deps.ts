import type { Kit } from '@tds/service-kit';
import { createVideoPlatform, type VideoPlatform } from '@tds/video-platform';
import type { Config } from './config.ts';
import { Waiters } from './serving/waiters.ts';
import { createDatabase, type Database } from './store/database.ts';
import { proxyBudget } from './store/proxy-budget.ts';
import type { surface } from './surface.ts';

export type Deps = {
  readonly kit: Kit<typeof surface>;
  readonly db: Database;
  readonly platform: VideoPlatform;
  readonly waiters: Waiters;
  readonly clock: () => Date;
};

const direct = { name: 'direct' };

export function createDeps(kit: Kit<typeof surface>, config: Config, overrides: Partial<Deps> = {}): Deps {
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const clock = overrides.clock ?? (() => new Date());
  const proxies = config.PLATFORM_PROXY_URLS.map((proxyUrl, index) => ({
    name: `proxy-${index + 1}`,
    proxyUrl,
  }));
  const platform = createVideoPlatform({
    origin: config.PLATFORM_ORIGIN,
    exits: proxies.length > 0 ? proxies : [direct],
    budget: proxyBudget(db, config.PLATFORM_PROXY_BYTES_PER_DAY),
    clock,
  });
  kit.onStop('video platform', () => platform.close());
  return { kit, db, platform, waiters: new Waiters(), clock, ...overrides };
}

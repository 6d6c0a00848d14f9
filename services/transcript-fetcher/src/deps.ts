import { createSql, type Kit, loadConfig, type Sql } from '@tds/service-kit';
import { createVideoPlatform, type VideoPlatform } from '@tds/video-platform';
import { config } from './config.ts';
import { blockSize, type ColdLimits, coldLimits, type PoolName } from './domain/cold-caps.ts';
import { type ColdPools, createColdPool } from './serving/cold-pool.ts';
import { Waiters } from './serving/waiters.ts';
import { poolCounts } from './store/cold-counts.ts';
import { createDatabase, type Database } from './store/database.ts';
import { proxyBudget } from './store/proxy-budget.ts';
import { FIRST_ID } from './store/unresolved.ts';
import type { Surface } from './surface.ts';

export type Deps = {
  readonly kit: Kit<Surface>;
  readonly db: Database;
  readonly sql: Sql;
  readonly platform: VideoPlatform;
  readonly waiters: Waiters;
  readonly clock: () => Date;
  readonly limits: ColdLimits;
  readonly pools: ColdPools;
  readonly orphanedAfterMs: number;
  /** Up to which operation the last walk has compared with the ledger; another process begins anew. */
  readonly reconciled: { upTo: string };
};

/** Tests may put their own clock and limits in. */
export type Overrides = Partial<Pick<Deps, 'clock' | 'limits'>>;

const direct = { name: 'direct' };

const createPools = (kit: Kit<Surface>, db: Database, limits: ColdLimits): ColdPools => {
  const open = (name: PoolName) => {
    const pool = createColdPool({
      counts: poolCounts(db, name, limits.pools[name]),
      blockSize: blockSize(name, limits),
      clock: () => performance.now(),
    });
    kit.onStop(`${name} pool`, () => pool.close());
    return pool;
  };
  return { free: open('free'), global: open('global') };
};

export function createDeps(
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps {
  const given = loadConfig(config, environment, { service: kit.surface.name });
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const { clock = () => new Date(), limits = coldLimits } = overrides;
  const proxies = given.PLATFORM_PROXY_URLS.map((proxyUrl, index) => ({
    name: `proxy-${index + 1}`,
    proxyUrl,
  }));
  const platform = createVideoPlatform({
    origin: given.PLATFORM_ORIGIN,
    exits: proxies.length > 0 ? proxies : [direct],
    budget: proxyBudget(db, given.PLATFORM_PROXY_BYTES_PER_DAY),
    clock,
  });
  kit.onStop('video platform', () => platform.close());
  const pools = createPools(kit, db, limits);
  const orphanedAfterMs = given.ORPHANED_AFTER;
  const shared = { kit, db, sql: createSql(kit.db), platform, waiters: new Waiters() };
  return { ...shared, clock, limits, pools, orphanedAfterMs, reconciled: { upTo: FIRST_ID } };
}

import { type Bodies, createSql, type Kit, type Objects, type Sql } from '@tds/service-kit';
import { createVideoPlatform, egressesOf, sqlByteBudget, type VideoPlatform } from '@tds/video-platform';
import { Waiters } from './application/await-operation.ts';
import { type ColdPools, createColdPool } from './application/cold-pool.ts';
import { type Config, readConfig } from './config.ts';
import { blockSize, type ColdLimits, coldLimits, type PoolName } from './domain/cold-caps.ts';
import { poolCounts } from './store/cold-counts.ts';
import { createDatabase, type Database } from './store/database.ts';
import { FIRST_ID } from './store/unresolved.ts';
import type { Surface } from './surface.ts';

type Lent = Pick<Kit<Surface>, 'call' | 'messaging' | 'log'>;

export type Deps = Lent & {
  readonly db: Database;
  readonly sql: Sql;
  readonly objects: Objects;
  readonly bodies: Bodies;
  readonly platform: VideoPlatform;
  readonly waiters: Waiters;
  readonly now: () => Date;
  readonly limits: ColdLimits;
  readonly pools: ColdPools;
  readonly orphanedAfterMs: number;
  /** The last operation that was compared with the ledger; another process begins anew. */
  readonly reconciled: { upTo: string };
};

/** Tests may put in their own time and limits. */
export type Overrides = Partial<Pick<Deps, 'now' | 'limits'>>;

const createPools = ({ onStop }: Kit<Surface>, db: Database, limits: ColdLimits): ColdPools => {
  const open = (name: PoolName) => {
    const pool = createColdPool({
      counts: poolCounts(db, name, limits.pools[name]),
      blockSize: blockSize(name, limits),
      monotonicMs: () => performance.now(),
    });
    onStop(`${name} pool`, () => pool.close());
    return pool;
  };
  return { free: open('free'), global: open('global') };
};

const createPlatform = (
  { db, onStop }: Kit<Surface>,
  { platformOrigin, proxyUrls, proxyBytesPerDay }: Config,
  now: () => Date,
): VideoPlatform => {
  const platform = createVideoPlatform({
    origin: platformOrigin,
    egresses: egressesOf(proxyUrls),
    budget: sqlByteBudget(db, proxyBytesPerDay),
    clock: now,
  });
  onStop('video platform', () => platform.close());
  return platform;
};

export function createDeps(
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  { now = () => new Date(), limits = coldLimits }: Overrides = {},
): Deps {
  const config = readConfig(environment);
  const { call, messaging, log, objects, bodies } = kit;
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  return {
    call,
    messaging,
    log,
    objects,
    bodies,
    db,
    sql: createSql(kit.db),
    platform: createPlatform(kit, config, now),
    waiters: new Waiters(),
    now,
    limits,
    pools: createPools(kit, db, limits),
    orphanedAfterMs: config.orphanedAfterMs,
    reconciled: { upTo: FIRST_ID },
  };
}

import { type Bodies, createSql, type Kit, type Objects, type Sql } from '@tds/service-kit';
import { createVideoPlatform, egressesOf, sqlByteBudget, type VideoPlatform } from '@tds/video-platform';
import { type ColdPools, createColdPool } from './application/cold-pool.ts';
import { createEndTogether, type EndTogether } from './application/end-together.ts';
import { createFindKnown, type FindKnown } from './application/find-known.ts';
import { OperationWaiters } from './application/operation-waiters.ts';
import { createTurns, type Turns } from './application/turns.ts';
import { type Config, readConfig } from './config.ts';
import { blockSize, type ColdLimits, coldLimits, type PoolName } from './domain/cold-caps.ts';
import { poolCounts } from './store/cold-counts.ts';
import { createDatabase, type Database } from './store/database.ts';
import { FIRST_ID } from './store/unresolved.ts';
import type { Surface } from './surface.ts';

/** Fetches of batches that one process has under way; those that somebody waits for have slots of their own. */
export const BATCH_FETCHES_AT_ONCE = 24;

type Lent = Pick<Kit<Surface>, 'call' | 'messaging' | 'log'>;

export type Deps = Lent & {
  readonly db: Database;
  readonly sql: Sql;
  readonly objects: Objects;
  readonly bodies: Bodies;
  readonly platform: VideoPlatform;
  readonly waiters: OperationWaiters;
  readonly now: () => Date;
  readonly limits: ColdLimits;
  readonly pools: ColdPools;
  /** For what batches wait for. */
  readonly turns: Turns;
  readonly endTogether: EndTogether;
  readonly findKnown: FindKnown;
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
  const sql = createSql(kit.db);
  const waiters = new OperationWaiters();
  const turns = createTurns(BATCH_FETCHES_AT_ONCE);
  kit.onStop('prisma', () => db.$disconnect());
  return {
    call,
    messaging,
    log,
    objects,
    bodies,
    db,
    sql,
    platform: createPlatform(kit, config, now),
    waiters,
    now,
    limits,
    pools: createPools(kit, db, limits),
    turns,
    endTogether: createEndTogether({ sql, objects, messaging, waiters, turns }),
    findKnown: createFindKnown(sql),
    orphanedAfterMs: config.orphanedAfterMs,
    reconciled: { upTo: FIRST_ID },
  };
}

import { compareWithLedger } from '@tds/reservations';
import { type Bodies, createSql, type Kit, type Objects, type Sql } from '@tds/service-kit';
import { createVideoPlatform, egressesOf, sqlByteBudget, type VideoPlatform } from '@tds/video-platform';
import { type Canary, createCanary } from './application/canary.ts';
import { createEndFetch } from './application/end-fetch.ts';
import { fetchTrack } from './application/fetch-track.ts';
import { measureWork } from './application/measure-work.ts';
import { createObserver, type Observer } from './application/observer.ts';
import { ReadWaiters } from './application/read-waiters.ts';
import { defaultPlaces, type Places, Worker } from './application/worker.ts';
import { type Config, readConfig } from './config.ts';
import { type ColdLimits, coldLimits } from './domain/cold-caps.ts';
import { createDatabase, type Database } from './store/database.ts';
import type { Surface } from './surface.ts';

type Lent = Pick<Kit<Surface>, 'call' | 'messaging' | 'log'>;

export type Deps = Lent & {
  readonly db: Database;
  readonly sql: Sql;
  readonly objects: Objects;
  readonly bodies: Bodies;
  readonly platform: VideoPlatform;
  readonly waiters: ReadWaiters;
  readonly worker: Worker;
  readonly now: () => Date;
  readonly limits: ColdLimits;
  readonly orphanedAfterMs: number;
  readonly observer: Observer;
  readonly canary: Canary;
  readonly proxies: { readonly count: number; readonly bytesPerDay: number };
  /** Compares this database with the ledger's. */
  readonly compare: ReturnType<typeof compareWithLedger>;
};

/** Tests may put in their own time and limits. */
export type Overrides = Partial<Pick<Deps, 'now' | 'limits'>> & { readonly places?: Places };

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
  { now = () => new Date(), limits = coldLimits, places = defaultPlaces }: Overrides = {},
): Deps {
  const config = readConfig(environment);
  const { call, messaging, log, objects, bodies } = kit;
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const sql = createSql(kit.db);
  const waiters = new ReadWaiters();
  const platform = createPlatform(kit, config, now);
  measureWork(kit, { sql, platform });
  const parts = { call, messaging, log, objects, bodies, db, sql, platform, waiters, now };
  const fetch: ConstructorParameters<typeof Worker>[0]['fetch'] = (begun, signal) =>
    fetchTrack(parts, begun, signal);
  const worker = new Worker({ sql, log, places, fetch, end: createEndFetch(parts) });
  kit.onStop('worker', () => worker.stop());
  kit.onDatabaseSwapped('floors', () => worker.forgetFloors());
  const { orphanedAfterMs, proxyUrls, proxyBytesPerDay } = config;
  return {
    ...parts,
    worker,
    limits,
    orphanedAfterMs,
    observer: createObserver(),
    canary: createCanary(config.canaryVideos),
    proxies: { count: proxyUrls.length, bytesPerDay: proxyBytesPerDay },
    compare: compareWithLedger(),
  };
}

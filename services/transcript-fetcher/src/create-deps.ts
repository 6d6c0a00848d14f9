import { createSql } from '@tds/base';
import type { Kit } from '@tds/kit';
import { compareWithLedger } from '@tds/reservations';
import { createVideoPlatform, egressesOf, sqlByteBudget, type VideoPlatform } from '@tds/video-platform';
import { createEndFetch } from './application/end-fetch.ts';
import { fetchTrack } from './application/fetch-track.ts';
import { createCanary, createObserver, measureCanary, measureWork } from './application/observing.ts';
import { ReadWaiters } from './application/read-waiters.ts';
import { createTrackFiles } from './application/track-files.ts';
import { Worker } from './application/worker.ts';
import { type Config, readConfig } from './config.ts';
import type { Deps, Overrides } from './deps.ts';
import { coldLimits } from './domain/cold-caps.ts';
import { createDatabase } from './store/database.ts';
import { FIRST_LOST } from './store/workers.ts';
import type { Surface } from './surface.ts';

const createPlatform = (
  { db, onStop }: Kit<Surface>,
  { platformOrigin, proxyUrls, proxyBytes }: Config,
  now: () => Date,
): VideoPlatform => {
  const platform = createVideoPlatform({
    origin: platformOrigin,
    egresses: egressesOf(proxyUrls),
    budget: sqlByteBudget(db, proxyBytes),
    clock: now,
  });
  onStop('video platform', () => platform.close());
  return platform;
};

export function createDeps(
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  { now = () => new Date(), limits = coldLimits, saveAgainAfterMs }: Overrides = {},
): Deps {
  const config = readConfig(environment);
  const { call, messaging, log, objects, bodies } = kit;
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const sql = createSql(kit.db);
  const waiters = new ReadWaiters();
  const platform = createPlatform(kit, config, now);
  const files = createTrackFiles();
  kit.onStop('track files', () => files.stop());
  measureWork(kit, { sql, platform });
  const parts = { call, messaging, log, objects, bodies, db, sql, platform, files, waiters, now };
  const fetch: ConstructorParameters<typeof Worker>[0]['fetch'] = (begun, signal) =>
    fetchTrack(parts, begun, signal);
  const worker = new Worker({
    sql,
    log,
    slots: config.slots,
    fetch,
    end: createEndFetch(parts, saveAgainAfterMs),
  });
  kit.onStop('worker', () => worker.stop());
  kit.onDatabaseSwapped('floors', () => worker.forgetFloors());
  kit.onDue('takeOverLostWork', FIRST_LOST);
  const { orphanedAfterMs, proxyUrls, proxyBytes, newAccountFetches } = config;
  return {
    ...parts,
    worker,
    limits: newAccountFetches === undefined ? limits : { ...limits, perNewAccount: newAccountFetches },
    orphanedAfterMs,
    observer: createObserver(),
    canary: createCanary(config.canaryVideos),
    countChecks: measureCanary(kit),
    proxies: { count: proxyUrls.length, bytesPerDay: proxyBytes.ofAll },
    compare: compareWithLedger(),
  };
}

import { createSql } from '@tds/base';
import type { Kit } from '@tds/kit';
import { compareWithLedger } from '@tds/reservations';
import {
  createRecentOutcomes,
  createVideoPlatform,
  measureBudget,
  measurePlatform,
  openStrategies,
  sqlByteBudget,
  type VideoPlatform,
} from '@tds/video-platform';
import { type Config, readConfig } from './config.ts';
import { coldLimits } from './credits/domain/cold-caps.ts';
import type { Deps, Overrides } from './deps.ts';
import { createEndFetch } from './fetches/end-fetch.ts';
import { createLaterCaptions } from './fetches/later-captions.ts';
import { FIRST_LOST } from './fetches/store/workers.ts';
import { Worker } from './fetches/worker.ts';
import { createCanary, createObserver, measureCanary, measureWork } from './health/observing.ts';
import { createQueryReader } from './library/domain/query-reader.ts';
import { createSearches } from './library/search-library.ts';
import { createStemmer } from './library/stemmer.ts';
import { libraryQueue } from './library/store/library-index.ts';
import { ReadWaiters } from './reads/read-waiters.ts';
import { createDatabase } from './store/database.ts';
import type { Surface } from './surface.ts';
import { fetchTrack, isRouteFault } from './tracks/fetch-track.ts';
import { openPoTokens } from './tracks/po-tokens.ts';
import { createTrackFiles } from './tracks/track-files.ts';

const createPlatform = (kit: Kit<Surface>, config: Config, now: () => Date): VideoPlatform => {
  const { db, metrics, onStop } = kit;
  const { platform: settings } = config;
  const poToken = openPoTokens(kit, config, now);
  const platform = createVideoPlatform({
    ...settings,
    strategies: openStrategies(settings.strategiesFile, kit),
    ...(poToken && { poToken }),
    budget: sqlByteBudget(db, settings.proxyBytes),
    ...measurePlatform(metrics),
    clock: now,
  });
  measureBudget(kit, settings.proxyBytes);
  onStop('video platform', () => platform.close());
  return platform;
};

type LaterDeps = Parameters<typeof fetchTrack>[0] &
  Omit<Parameters<typeof createLaterCaptions>[0], 'fetchTrack'>;

const openLaterCaptions = ({ onStop }: Kit<Surface>, base: LaterDeps): Deps['laterCaptions'] => {
  const later = createLaterCaptions({
    ...base,
    fetchTrack: (fetch, signal) => fetchTrack(base, fetch, signal),
  });
  onStop('later captions', () => later.stop());
  return later;
};

const readProxyLimit = ({ exits, proxyBytes }: Config['platform']): number =>
  exits.some(({ proxyUrl }) => proxyUrl !== undefined) ? proxyBytes.ofAll : Number.POSITIVE_INFINITY;

export function createDeps(
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  { now = () => new Date(), limits = coldLimits, saveRetry }: Overrides = {},
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
  const base = { call, messaging, log, objects, bodies, db, sql, platform, files, waiters, now };
  const outcomes = createRecentOutcomes(now);
  const runFetch: ConstructorParameters<typeof Worker>[0]['fetchTrack'] = async (fetch, signal) => {
    const result = await fetchTrack(base, fetch, signal);
    outcomes.add(isRouteFault(result.end.error));
    return result;
  };
  const worker = new Worker({
    sql,
    log,
    slots: config.slots,
    fetchTrack: runFetch,
    end: createEndFetch(base, saveRetry),
  });
  kit.onStop('worker', () => worker.stop());
  kit.onDue('takeOverLostWork', FIRST_LOST);
  kit.onDue('indexLibrary', libraryQueue.firstDue);
  const { orphanedAfterMs, newAccountFetches } = config;
  return {
    ...base,
    ...{ pool: kit.db, laterCaptions: openLaterCaptions(kit, base) },
    stemmer: createStemmer(sql),
    readQuery: createQueryReader(),
    searches: createSearches(),
    worker,
    limits: newAccountFetches === undefined ? limits : { ...limits, perNewAccount: newAccountFetches },
    orphanedAfterMs,
    observer: createObserver(),
    outcomes,
    canary: createCanary(config),
    countChecks: measureCanary(kit),
    proxyBytesPerDay: readProxyLimit(config.platform),
    compare: compareWithLedger(),
  };
}

import { createSql } from '@tds/base';
import type { Kit } from '@tds/kit';
import { compareWithLedger } from '@tds/reservations';
import {
  createPoTokens,
  createRecentOutcomes,
  createVideoPlatform,
  tokenOutcomes,
  toPlatformOptions,
  type VideoPlatform,
} from '@tds/video-platform';
import { type Config, readConfig } from './config.ts';
import { type ColdLimits, coldLimits } from './credits/domain/cold-caps.ts';
import type { EndFetchDeps } from './fetches/end-fetch.ts';
import { createLaterCaptions } from './fetches/later-captions.ts';
import { FIRST_LOST } from './fetches/store/workers.ts';
import { Worker } from './fetches/worker.ts';
import { createCanary, createObserver, measureCanary, measureWork } from './health/observing.ts';
import { createQueryReader } from './library/domain/query-reader.ts';
import { createSearches } from './library/search-library.ts';
import { createSplitCues } from './library/split-cues.ts';
import { createStemmer } from './library/stemmer.ts';
import { libraryQueue } from './library/store/library-index.ts';
import { countOutdated } from './library/store/outdated-entries.ts';
import { ReadWaiters } from './reads/read-waiters.ts';
import { createDatabase } from './store/database.ts';
import type { Surface } from './surface.ts';
import { createTrackFiles } from './tracks/track-files.ts';

/** The configured provider of tokens with its metrics; undefined without one. */
const openPoTokens = (
  { metrics, onStop }: Kit<Surface>,
  { poTokens: settings, platform }: Config,
  clock: () => Date,
) => {
  const calls = metrics.counter({
    name: 'tds_po_token_calls_total',
    help: 'Calls of the provider of proof-of-origin tokens; skipped: its circuit is open',
    labels: ['outcome'],
  });
  for (const outcome of tokenOutcomes) calls.inc({ outcome }, 0);
  const isOpen = metrics.gauge({
    name: 'tds_po_token_circuit_open',
    help: '1 while the provider of tokens is not called because it failed',
    labels: [],
  });
  if (settings === null) return undefined;
  const tokens = createPoTokens({
    ...settings,
    exits: platform.exits,
    clock,
    onCall: (outcome) => calls.inc({ outcome }),
  });
  metrics.onScrape({ sets: [isOpen], collect: () => isOpen.set({}, tokens.isOpen() ? 1 : 0) });
  onStop('token provider', () => tokens.close());
  return tokens;
};

const createPlatform = (kit: Kit<Surface>, config: Config, now: () => Date): VideoPlatform => {
  const poToken = openPoTokens(kit, config, now);
  const options = toPlatformOptions(kit, config.platform);
  const platform = createVideoPlatform({ ...options, ...(poToken && { poToken }), clock: now });
  kit.onStop('video platform', () => platform.close());
  return platform;
};

const readProxyLimit = ({ exits, proxyBytes }: Config['platform']): number =>
  exits.some(({ proxyUrl }) => proxyUrl !== undefined) ? proxyBytes.ofAll : Number.POSITIVE_INFINITY;

export type Overrides = {
  readonly now?: () => Date;
  readonly limits?: ColdLimits;
  readonly saveRetry?: EndFetchDeps['saveRetry'];
};

export function createDeps(
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  { now = () => new Date(), limits = coldLimits, saveRetry }: Overrides = {},
) {
  const config = readConfig(environment);
  const { call, messaging, log, objects, bodies, db: pool } = kit;
  const db = createDatabase(pool);
  kit.onStop('prisma', () => db.$disconnect());
  const sql = createSql(pool);
  const platform = createPlatform(kit, config, now);
  const files = createTrackFiles();
  kit.onStop('track files', () => files.stop());
  measureWork(kit, { sql, platform });
  const outcomes = createRecentOutcomes(now);
  const base = { call, messaging, log, objects, bodies, db, pool, sql, platform, now, files, outcomes };
  const waiters = new ReadWaiters(base);
  const worker = new Worker({ ...base, slots: config.slots, callers: waiters, saveRetry });
  kit.onStop('worker', () => worker.stop());
  kit.onDue('takeOverLostWork', FIRST_LOST);
  kit.onDue('indexLibrary', libraryQueue.firstDue);
  kit.onBacklog('outdated', () => countOutdated(sql));
  const laterCaptions = createLaterCaptions(base);
  kit.onStop('later captions', () => laterCaptions.stop());
  const { orphanedAfterMs, newAccountFetches } = config;
  return {
    ...{ ...base, waiters, worker, laterCaptions },
    splitCues: createSplitCues(files),
    stemmer: createStemmer(sql),
    readQuery: createQueryReader(),
    searches: createSearches(),
    limits: newAccountFetches === undefined ? limits : { ...limits, perNewAccount: newAccountFetches },
    orphanedAfterMs,
    observer: createObserver(),
    canary: createCanary(config),
    countChecks: measureCanary(kit),
    proxyBytesPerDay: readProxyLimit(config.platform),
    compare: compareWithLedger(),
  };
}

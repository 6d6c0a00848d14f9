import { withSpans } from '@tds/base';
import { DATA_API_UNITS_PER_ACCOUNT, globalLimits, RESOLVED_LISTS_PER_DAY, tierLimits } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import { compareWithLedger } from '@tds/reservations';
import { createDataApi, createDiscovery, toPlatformOptions } from '@tds/video-platform';
import { type Config, readConfig } from './config.ts';
import type { Deps, Limits, Overrides } from './deps.ts';
import { createDatabase } from './store/database.ts';
import { firstAbandoned } from './store/search-sweeps.ts';
import type { Surface } from './surface.ts';
import { takeDataApiUnit } from './upstream/data-api-units.ts';

/** Opens the configured ways to the platform. */
const openPlatform = (
  kit: Kit<Surface>,
  { platform, dataApiOrigin, dataApiKey }: Config,
  { clock, takeUnit }: Required<Pick<Parameters<typeof createDataApi>[0], 'clock' | 'takeUnit'>>,
) => {
  const discovery = createDiscovery({ ...toPlatformOptions(kit, platform), clock });
  kit.onStop('video platform', () => discovery.close());
  const key = dataApiKey?.reveal();
  const traced = withSpans('platform', discovery);
  if (key === undefined) return { discovery: traced, dataApi: null };
  const dataApi = createDataApi({ origin: dataApiOrigin, key, takeUnit, clock });
  kit.onStop('data api', () => dataApi.close());
  return { discovery: traced, dataApi: withSpans('platform data-api', dataApi) };
};

const defaultLimits: Limits = {
  searchAbandonedMs: 60_000,
  searchMs: 15_000,
  lookUpMs: 20_000,
  lookUpsPerDay: (tier) => tierLimits[tier].lookUpsPerDay,
  freeLookUpsPerDay: globalLimits.freePoolColdFetchesPerDay,
  dataApiUnitsPerDay: globalLimits.dataApiUnitsPerDay,
  freeDataApiUnitsPerDay: globalLimits.freePoolDataApiUnitsPerDay,
  listsPerDay: RESOLVED_LISTS_PER_DAY,
  dataApiUnitsPerAccount: DATA_API_UNITS_PER_ACCOUNT,
};

export const createDeps = (
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  { now = () => new Date(), limits: limitOverrides = {} }: Overrides = {},
): Deps => {
  const config = readConfig(environment);
  const { call, messaging, log } = kit;
  const limits = { ...defaultLimits, ...limitOverrides };
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  kit.onDue('endAbandonedSearches', firstAbandoned(limits.searchAbandonedMs));
  const { discovery, dataApi } = openPlatform(kit, config, {
    clock: now,
    takeUnit: (payer) => takeDataApiUnit(db, limits, payer, now()),
  });
  const { listingFreshMs, orphanedAfterMs } = config;
  return {
    call,
    messaging,
    log,
    db,
    discovery,
    dataApi,
    limits,
    now,
    listingFreshMs,
    orphanedAfterMs,
    compare: compareWithLedger(),
  };
};

import { DATA_API_UNITS_PER_ACCOUNT, globalLimits, type Tier, tierLimits } from '@tds/contracts';
import { compareWithLedger } from '@tds/reservations';
import type { Kit } from '@tds/service-kit';
import type { DataApi, Discovery } from '@tds/video-platform';
import { readConfig } from './config.ts';
import { createDatabase, type Database } from './store/database.ts';
import type { Surface } from './surface.ts';
import { takeDataApiUnit, type Units } from './upstream/data-api-units.ts';
import { openPlatform } from './upstream/platform.ts';

type Lent = Pick<Kit<Surface>, 'call' | 'messaging' | 'log'>;

/** What handlers work with. */
export type Deps = Lent & {
  readonly db: Database;
  readonly discovery: Discovery;
  /** Null where no key is configured. */
  readonly dataApi: DataApi | null;
  readonly limits: Limits;
  readonly now: () => Date;
  readonly listingFreshMs: number;
  readonly orphanedAfterMs: number;
  /** Remembers what it has compared with the ledger. */
  readonly compare: ReturnType<typeof compareWithLedger>;
};

/** What this service alone decides; tests shorten it. */
export type Limits = {
  /** A search that nobody has worked on for so long is over. */
  readonly searchAbandonedMs: number;
  /** How long the platform may take for one page of a search. */
  readonly searchMs: number;
  /** How long the platform may take for the videos of a text. */
  readonly lookUpMs: number;
  readonly lookUpsPerDay: (tier: Tier) => number;
} & Units;

/** What tests put in the place of the real thing. */
export type Overrides = Partial<Pick<Deps, 'now'>> & { readonly limits?: Partial<Limits> };

const defaultLimits: Limits = {
  searchAbandonedMs: 60_000,
  searchMs: 15_000,
  lookUpMs: 20_000,
  lookUpsPerDay: (tier) => tierLimits[tier].lookUpsPerDay,
  dataApiUnitsPerDay: globalLimits.dataApiUnitsPerDay,
  dataApiUnitsPerAccount: DATA_API_UNITS_PER_ACCOUNT,
};

export const createDeps = (
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  { now = () => new Date(), limits: given = {} }: Overrides = {},
): Deps => {
  const config = readConfig(environment);
  const { call, messaging, log } = kit;
  const limits = { ...defaultLimits, ...given };
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const { discovery, dataApi } = openPlatform(kit, config, {
    clock: now,
    takeUnit: (accountId) => takeDataApiUnit(db, limits, accountId, now()),
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

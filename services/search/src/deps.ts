import { globalLimits } from '@tds/contracts';
import type { Kit } from '@tds/service-kit';
import type { DataApi, Discovery } from '@tds/video-platform';
import { type Config, readConfig } from './config.ts';
import { createDatabase, type Database } from './store/database.ts';
import { proxyBudget } from './store/proxy-budget.ts';
import type { Surface } from './surface.ts';
import { openPlatform } from './upstream/platform.ts';

/** What handlers work with. */
export type Deps = {
  readonly kit: Kit<Surface>;
  readonly config: Config;
  readonly db: Database;
  readonly discovery: Discovery;
  /** Null where no key is configured. */
  readonly dataApi: DataApi | null;
  readonly limits: Limits;
  readonly now: () => Date;
};

/** What this service alone decides; tests shorten it. */
export type Limits = {
  /** A search that nobody has worked on for so long is over. */
  readonly searchAbandonedMs: number;
  /** How long the platform may take for one page of a search. */
  readonly searchMs: number;
  readonly dataApiUnitsPerDay: number;
};

/** What tests put in the place of the real thing. */
export type Overrides = Partial<Pick<Deps, 'now'>> & { readonly limits?: Partial<Limits> };

const defaultLimits: Limits = {
  searchAbandonedMs: 60_000,
  searchMs: 15_000,
  dataApiUnitsPerDay: globalLimits.dataApiUnitsPerDay,
};

export const createDeps = (
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps => {
  const config = readConfig(environment);
  const now = overrides.now ?? (() => new Date());
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const platform = openPlatform(config, proxyBudget(db, config.PLATFORM_PROXY_BYTES_PER_DAY, now), now);
  kit.onStop('video platform', platform.close);
  const limits = { ...defaultLimits, ...overrides.limits };
  return { kit, config, db, discovery: platform.discovery, dataApi: platform.dataApi, limits, now };
};

import type { Kit } from '@tds/service-kit';
import { createPrices, type Prices } from './application/prices.ts';
import { type Config, readConfig } from './config.ts';
import { ungrantedPurchases } from './store/backlog.ts';
import { createDatabase, type Database, type Db } from './store/database.ts';
import type { Surface } from './surface.ts';
import { createProcessor, type Processor } from './upstream/processor.ts';

type Lent = Pick<Kit<Surface>, 'call' | 'messaging' | 'log'>;

/** What handlers work with. */
export type Deps = Lent & {
  readonly config: Config;
  readonly db: Database;
  readonly processor: Processor;
  readonly prices: Prices;
  readonly now: () => Date;
};

/** An open database transaction, and the moment that it counts as. */
export type Work = { readonly tx: Db; readonly now: Date };

/** What tests put in the place of the real thing. */
export type Overrides = Partial<Pick<Deps, 'now'>>;

export const createDeps = (
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps => {
  const config = readConfig(environment);
  const { call, messaging, log } = kit;
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  kit.onBacklog('purchases', () => ungrantedPurchases(db));
  const processor = createProcessor(config);
  const prices = createPrices(config, processor);
  return { call, messaging, log, config, db, processor, prices, now: () => new Date(), ...overrides };
};

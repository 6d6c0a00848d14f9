import { readDatabaseClock } from '@tds/base';
import type { Kit } from '@tds/kit';
import { createPaymentEventHandler } from './application/events.ts';
import { createPrices } from './application/prices.ts';
import { readConfig } from './config.ts';
import type { Deps } from './deps.ts';
import { createDatabase } from './store/database.ts';
import { countMismatched } from './store/money.ts';
import { countUngranted } from './store/purchases.ts';
import type { Surface } from './surface.ts';
import { createProcessor } from './upstream/processor.ts';

export const createDeps = (
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  overrides: Partial<Deps> = {},
): Deps => {
  const config = readConfig(environment);
  const { call, messaging, log } = kit;
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  kit.onBacklog('purchases', () => countUngranted(db));
  kit.onBacklog('mismatched_payments', () => countMismatched(db));
  const { now = () => readDatabaseClock(db) } = overrides;
  const ending = new AbortController();
  // After its schedules and commands: a request that is still out there ends, rather than the process waits for it.
  kit.onStop('processor', async () => ending.abort());
  const processor = createProcessor(config, ending.signal);
  const prices = createPrices(config, processor);
  const applyEvent = createPaymentEventHandler({ db, messaging, processor, now });
  return { call, messaging, log, config, db, processor, prices, applyEvent, now };
};

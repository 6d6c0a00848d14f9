import { createSql, type Kit, type Sql } from '@tds/service-kit';
import { createLedger, type Ledger } from './application/ledger.ts';
import { createPublishBalances, type PublishBalances } from './application/publish-balances.ts';
import { type Config, readConfig } from './config.ts';
import { createDatabase, type Database } from './store/database.ts';
import type { Surface } from './surface.ts';

export type Deps = {
  readonly db: Database;
  readonly sql: Sql;
  readonly ledger: Ledger;
  readonly publishBalances: PublishBalances;
  readonly messaging: Kit<Surface>['messaging'];
  readonly log: Kit<Surface>['log'];
  readonly config: Config;
  readonly now: () => Date;
};

/** What tests put in the place of the real thing. */
export type Overrides = Partial<Pick<Deps, 'now'>>;

export const createDeps = (
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  overrides: Overrides = {},
): Deps => {
  const config = readConfig(environment);
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const publishBalances = createPublishBalances(kit);
  return {
    db,
    sql: createSql(kit.db),
    publishBalances,
    ledger: createLedger({ db, pool: kit.db, publishBalances }),
    messaging: kit.messaging,
    log: kit.log,
    config,
    now: () => new Date(),
    ...overrides,
  };
};

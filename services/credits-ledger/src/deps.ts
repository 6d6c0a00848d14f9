import type { Sql } from '@tds/base';
import type { Kit } from '@tds/kit';
import type { Ledger, PublishBalances } from './application/ledger.ts';
import type { Config } from './config.ts';
import type { Database } from './store/database.ts';
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

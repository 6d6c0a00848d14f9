import { createSql, type Kit, type Sql } from '@tds/service-kit';
import { readConfig } from './config.ts';
import { createDatabase, type Database } from './store/database.ts';
import { createLedger, type Ledger, type Publish } from './store/ledger.ts';
import { createPublish } from './store/publish.ts';
import type { Surface } from './surface.ts';

export type Deps = {
  readonly db: Database;
  readonly sql: Sql;
  readonly ledger: Ledger;
  readonly publish: Publish;
  readonly messaging: Kit<Surface>['messaging'];
  readonly buyUrl: string;
  readonly now: () => Date;
};

export const createDeps = (kit: Kit<Surface>, environment: NodeJS.ProcessEnv): Deps => {
  const { buyUrl } = readConfig(environment);
  const db = createDatabase(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const publish = createPublish(kit);
  return {
    db,
    sql: createSql(kit.db),
    publish,
    ledger: createLedger(db, kit.db, publish),
    messaging: kit.messaging,
    buyUrl,
    now: () => new Date(),
  };
};

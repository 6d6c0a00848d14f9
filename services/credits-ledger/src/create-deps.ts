import { createSql } from '@tds/base';
import type { Kit } from '@tds/kit';
import { forgetBalances } from './application/forget-balances.ts';
import { createLedger, createPublishBalances } from './application/ledger.ts';
import { readConfig } from './config.ts';
import type { Deps } from './deps.ts';
import { createDatabase } from './store/database.ts';
import type { Surface } from './surface.ts';

export const createDeps = (
  kit: Kit<Surface>,
  environment: NodeJS.ProcessEnv,
  overrides: Partial<Deps> = {},
): Deps => {
  const config = readConfig(environment);
  const db = createDatabase(kit.db);
  const sql = createSql(kit.db);
  kit.onStop('prisma', () => db.$disconnect());
  const publishBalances = createPublishBalances(kit);
  const stopping = new AbortController();
  kit.onStop('forgotten balances', async () => stopping.abort());
  kit.onDatabaseSwapped('balances', () =>
    forgetBalances({ db, projections: kit.projections }, stopping.signal),
  );
  return {
    db,
    sql,
    publishBalances,
    ledger: createLedger({ db, sql, publishBalances }),
    messaging: kit.messaging,
    log: kit.log,
    config,
    now: () => new Date(),
    ...overrides,
  };
};

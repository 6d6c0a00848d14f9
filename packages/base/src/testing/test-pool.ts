import type { Pool } from 'pg';
import { createPool } from '../db/pool.ts';
import type { SqlExecutor, Transactional } from '../db/sql.ts';
import { createStatementNames, sqlExecutor } from '../db/sql.ts';
import { inTransaction } from '../db/transactions.ts';
import { createLog } from '../log/log.ts';

/** The part of a Prisma client that the kit uses, on a bare pool: for tests of what needs no tables of a service. */
export const poolClient = (pool: Pool): Transactional<SqlExecutor> & SqlExecutor => {
  const nameOf = createStatementNames();
  return {
    ...sqlExecutor(pool, nameOf),
    $transaction: (work) => inTransaction(pool, (client) => work(sqlExecutor(client, nameOf))),
  };
};

/** With it a test looks at a database beside the service: on a busy machine a connection takes what it takes. */
export const createTestPool = (url: string, maxConnections = 2): Pool => {
  const log = createLog({ service: 'test', level: 'silent' });
  return createPool({ url, applicationName: 'test', maxConnections, waitMs: 60_000, log });
};

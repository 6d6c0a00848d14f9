import type { Pool } from 'pg';
import { createPool, inTransaction } from '../db/pool.ts';
import { createStatementNames, type SqlExecutor, sqlExecutor, type Transactional } from '../db/sql.ts';
import { createLog } from '../log/log.ts';

/** The part of a Prisma client that the kit uses, on a bare pool, for tests without tables of a service. */
export const poolClient = (pool: Pool): Transactional<SqlExecutor> & SqlExecutor => {
  const nameOf = createStatementNames();
  return {
    ...sqlExecutor(pool, nameOf),
    $transaction: (work) => inTransaction(pool, (client) => work(sqlExecutor(client, nameOf))),
  };
};

/** A pool for a test's own queries. It waits a minute for a connection, because the machine may be busy. */
export const createTestPool = (url: string, maxConnections = 2): Pool => {
  const log = createLog({ service: 'test', level: 'silent' });
  return createPool({ url, applicationName: 'test', maxConnections, waitMs: 60_000, log });
};

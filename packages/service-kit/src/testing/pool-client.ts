import type { Pool } from 'pg';
import { inTransaction } from '../db/pool-transaction.ts';
import { sqlExecutor } from '../db/sql-executor.ts';
import { createStatementNames } from '../db/statement-name.ts';
import type { SqlExecutor, Transactional } from '../runtime/service.ts';

/** The part of a Prisma client that the kit uses, on a bare pool: for tests of what needs no tables of a service. */
export const poolClient = (pool: Pool): Transactional<SqlExecutor> & SqlExecutor => {
  const nameOf = createStatementNames();
  return {
    ...sqlExecutor(pool, nameOf),
    $transaction: (work) => inTransaction(pool, (client) => work(sqlExecutor(client, nameOf))),
  };
};

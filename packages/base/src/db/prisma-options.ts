import { PrismaPg } from '@prisma/adapter-pg';
import { POOL_WAIT_MS, TRANSACTION_MS } from '@tds/contracts';
import type { Pool } from 'pg';
import { createStatementNames } from './sql.ts';

export type { Pool };

/**
 * For a service's `new PrismaClient(prismaOptions(pool))`: on the kit's connections, each statement parsed and planned once per
 * connection. Errors are short, because the long form quotes the values of a query.
 */
export const prismaOptions = (pool: Pool) => ({
  adapter: new PrismaPg(pool, { statementNameGenerator: createStatementNames() }),
  errorFormat: 'minimal' as const,
  transactionOptions: { timeout: TRANSACTION_MS, maxWait: POOL_WAIT_MS },
});

import { PrismaPg } from '@prisma/adapter-pg';
import type { Pool } from 'pg';
import { createStatementNames } from './statement-name.ts';

/**
 * For a service's `new PrismaClient(prismaOptions(pool))`: on the kit's connections, each statement parsed and planned once per
 * connection. Errors are short, because the long form quotes the values of a query.
 */
export const prismaOptions = (pool: Pool): { adapter: PrismaPg; errorFormat: 'minimal' } => ({
  adapter: new PrismaPg(pool, { statementNameGenerator: createStatementNames() }),
  errorFormat: 'minimal',
});

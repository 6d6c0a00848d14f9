import { PrismaPg } from '@prisma/adapter-pg';
import { createStatementNames } from '@tds/service-kit';
import type { Pool } from 'pg';
import { PrismaClient } from './prisma/client.ts';

/** Prisma on the kit's connections. Its errors are short: the long form quotes the values of a query. */
export const createDatabase = (pool: Pool): PrismaClient =>
  new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: createStatementNames() }),
    errorFormat: 'minimal',
  });

export type Database = PrismaClient;
/** The client or one of its transactions. */
export type Sql = Pick<PrismaClient, '$queryRaw'>;

import { PrismaPg } from '@prisma/adapter-pg';
import { createStatementNames, type Kit } from '@tds/service-kit';
import type { Surface } from '../surface.ts';
import { type Prisma, PrismaClient } from './prisma/client.ts';

/** The client or one of its transactions. */
export type Db = Prisma.TransactionClient;

/** Prisma on the kit's connections. Its errors are short: the long form quotes the values of a query. */
export const createPrismaClient = (pool: Kit<Surface>['db']): PrismaClient =>
  new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: createStatementNames() }),
    errorFormat: 'minimal',
  });

export type { PrismaClient };

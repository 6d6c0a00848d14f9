import { PrismaPg } from '@prisma/adapter-pg';
import type { Surface } from '@tds/contracts';
import { createStatementNames, type Kit } from '@tds/service-kit';
import { PrismaClient } from './prisma/client.ts';

/** The service's database over the kit's connection pool. */
export const createDatabase = (pool: Kit<Surface>['db']): PrismaClient =>
  new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: createStatementNames() }),
  });

export type Database = PrismaClient;
/** A transaction of it. Every store function takes either. */
export type Tx = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];

import { PrismaPg } from '@prisma/adapter-pg';
import type { Surface } from '@tds/contracts';
import { createStatementNames, type Kit } from '@tds/service-kit';
import { PrismaClient } from './prisma/client.ts';

/** The service's database over the kit's connection pool. */
export const createDatabase = (pool: Kit<Surface>['db']): PrismaClient =>
  new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: createStatementNames() }),
  });

/** One statement under a name of its own. */
export type Statement = { readonly name: string; readonly text: string };
export type Sql = <Row>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>;

/**
 * The statements on the way of a cold transcript, straight through the driver: parsed and planned once per connection, and
 * for a third of the time that Prisma takes around each of them.
 */
export const createSql =
  (pool: Kit<Surface>['db']): Sql =>
  async <Row>(statement: Statement, values: readonly unknown[]) =>
    (await pool.query({ ...statement, values: [...values] })).rows as Row[];

export type Database = PrismaClient;
/** A transaction of it. Every store function takes either. */
export type Tx = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];

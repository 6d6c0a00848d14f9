import { PrismaPg } from '@prisma/adapter-pg';
import { createStatementNames, type Kit } from '@tds/service-kit';
import type { Surface } from '../surface.ts';
import { type Prisma, PrismaClient } from './prisma/client.ts';

export type Database = PrismaClient;
/** The client or one of its transactions. */
export type Db = Prisma.TransactionClient;

/** Prisma on the kit's connections. Its errors are short: the long form quotes the values of a query. */
export const createDatabase = (pool: Kit<Surface>['db']): Database =>
  new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: createStatementNames() }),
    errorFormat: 'minimal',
  });

/** The database's own time. */
export const readClock = async (db: Pick<Db, '$queryRaw'>): Promise<Date> => {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  if (!row) throw new Error('the database did not say what time it is');
  return row.now;
};

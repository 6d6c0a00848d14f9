import { DATABASE_EPOCH, type Sql } from '@tds/base';
import { prismaOptions } from '@tds/base/prisma';
import type { Pool } from 'pg';
import { PrismaClient } from './prisma/client.ts';

export type Database = PrismaClient;
/** The client or one of its transactions. */
export type Db = Pick<PrismaClient, '$queryRaw'>;

export const createDatabase = (pool: Pool): Database => new PrismaClient(prismaOptions(pool));

const EPOCH = { name: 'ledger-epoch', text: DATABASE_EPOCH };

/**
 * Reads the name of this database and its timeline, which changes after a restore or failover. Read it before the rows that it is
 * answered with: a caller that gets an old name with new rows gets the new name next time.
 */
export async function readEpoch(sql: Sql): Promise<string> {
  const [row] = await sql<{ epoch: string }>(EPOCH, []);
  if (!row) throw new Error('the database did not answer its epoch');
  return row.epoch;
}

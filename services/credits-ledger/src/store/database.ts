import { DATABASE_EPOCH, onlyRow, type Sql } from '@tds/base';
import { prismaOptions } from '@tds/base/prisma';
import type { Pool } from 'pg';
import { PrismaClient } from './prisma/client.ts';

export type Database = PrismaClient;
/** The client or one of its transactions. */
export type Db = Pick<PrismaClient, '$queryRaw'>;

export const createDatabase = (pool: Pool): Database => new PrismaClient(prismaOptions(pool));

/** The one value of a statement that answers one row, whose column it names `value`. */
export const readValue = async <Value>(rows: Promise<readonly { readonly value: Value }[]>): Promise<Value> =>
  onlyRow(await rows).value;

/**
 * Reads the name of this database and its timeline, which changes after a restore or failover. Read it before the rows that it is
 * answered with: a caller that gets an old name with new rows gets the new name next time.
 */
export const readEpoch = async (sql: Sql): Promise<string> =>
  onlyRow(await sql<{ epoch: string }>(DATABASE_EPOCH, [])).epoch;

import { type Pool, prismaOptions } from '@tds/base/prisma';
import { type Prisma, PrismaClient } from './prisma/client.ts';

export type Database = PrismaClient;
/** The client or one of its transactions. */
export type Db = Prisma.TransactionClient;

export const createDatabase = (pool: Pool): Database => new PrismaClient(prismaOptions(pool));

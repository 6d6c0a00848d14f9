import { prismaOptions } from '@tds/base/prisma';
import type { Surface } from '@tds/contracts';
import type { Kit } from '@tds/kit';
import { type Prisma, PrismaClient } from './prisma/client.ts';

export const createDatabase = (pool: Kit<Surface>['db']): PrismaClient => new PrismaClient(prismaOptions(pool));

/** Connections outside of Prisma. */
export type ConnectionPool = Kit<Surface>['db'];
export type Database = PrismaClient;
/** The client or one of its transactions. */
export type Db = Prisma.TransactionClient;

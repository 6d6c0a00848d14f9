import { prismaOptions } from '@tds/base/prisma';
import type { Kit } from '@tds/kit';
import type { Surface } from '../surface.ts';
import { type Prisma, PrismaClient } from './prisma/client.ts';

export const createDatabase = (pool: Kit<Surface>['db']): PrismaClient => new PrismaClient(prismaOptions(pool));

/** Connections for claims, locks and backlog counts. */
export type Pool = Kit<Surface>['db'];
export type Database = PrismaClient;
/** The client or one of its transactions. */
export type Db = Prisma.TransactionClient;

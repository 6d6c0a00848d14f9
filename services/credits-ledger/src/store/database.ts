import { prismaOptions } from '@tds/service-kit/prisma';
import type { Pool } from 'pg';
import { PrismaClient } from './prisma/client.ts';

export type Database = PrismaClient;
/** The client or one of its transactions. */
export type Db = Pick<PrismaClient, '$queryRaw'>;

export const createDatabase = (pool: Pool): Database => new PrismaClient(prismaOptions(pool));

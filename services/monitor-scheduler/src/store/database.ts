import type { Kit } from '@tds/service-kit';
import { prismaOptions } from '@tds/service-kit/prisma';
import type { Surface } from '../surface.ts';
import { PrismaClient } from './prisma/client.ts';

export const createDatabase = (pool: Kit<Surface>['db']): PrismaClient =>
  new PrismaClient(prismaOptions(pool));

/** Connections, for what the kit asks by itself. */
export type Pool = Kit<Surface>['db'];
export type Database = PrismaClient;
/** A transaction of it. Every store function takes either. */
export type Tx = Parameters<Parameters<PrismaClient['$transaction']>[0]>[0];
export type Db = Database | Tx;

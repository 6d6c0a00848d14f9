import type { Db } from './database.ts';
import { Prisma } from './prisma/client.ts';

/** What of an account a UTC day counts. */
export type Counted = 'monitors' | 'keys';

const today = Prisma.sql`(now() AT TIME ZONE 'UTC')::date`;
const column = (counted: Counted): Prisma.Sql => Prisma.raw(counted);

/** One more today; resolves to how many there are now. */
export const countCreation = async (tx: Db, accountId: string, counted: Counted): Promise<number> => {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    INSERT INTO creation_days AS d (account_id, day, ${column(counted)}) VALUES (${accountId}::uuid, ${today}, 1)
    ON CONFLICT (account_id, day) DO UPDATE SET ${column(counted)} = d.${column(counted)} + 1
    RETURNING ${column(counted)} AS count`;
  return row?.count ?? 0;
};

/** What has failed for reasons of ours does not count. */
export const uncountMonitor = async (tx: Db, accountId: string): Promise<void> => {
  await tx.$executeRaw`
    UPDATE creation_days SET monitors = monitors - 1
    WHERE account_id = ${accountId}::uuid AND day = ${today} AND monitors > 0`;
};

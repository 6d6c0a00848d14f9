import type { Db } from './prisma-client.ts';

/** The database's own time. */
export const readClock = async (db: Pick<Db, '$queryRaw'>): Promise<Date> => {
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  if (!row) throw new Error('the database did not say what time it is');
  return row.now;
};

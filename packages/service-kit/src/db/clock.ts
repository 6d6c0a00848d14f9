import type { SqlExecutor } from './sql-executor.ts';

/** Answers the database's present time: one clock for all instances of a service. */
export const readDatabaseClock = async (db: Pick<SqlExecutor, '$queryRawUnsafe'>): Promise<Date> => {
  const [row] = await db.$queryRawUnsafe<{ now: Date }[]>('SELECT clock_timestamp() AS now');
  if (!row) throw new Error('the database answered no time');
  return row.now;
};

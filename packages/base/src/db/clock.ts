import type { SqlExecutor } from './sql.ts';

/** Answers the database's present time: one clock for all instances of a service. */
export const readDatabaseClock = async (db: Pick<SqlExecutor, '$queryRawUnsafe'>): Promise<Date> => {
  const [row] = await db.$queryRawUnsafe<{ now: Date }[]>('SELECT clock_timestamp() AS now');
  if (!row) throw new Error('the database answered no time');
  return row.now;
};

/**
 * SQL for the next version of a row whose events carry it, from that of now (in SQL functions: `messaging.next_version`). It is
 * never below the milliseconds since 1970, so that a database that goes back goes on above all that others have seen.
 */
export const nextVersion = (version: string): string => `messaging.next_version(${version})`;

import type { SqlExecutor } from './sql.ts';

/** Deletes at most `limit` rows; resolves to how many. */
export type Purge = (limit: number) => Promise<number>;

export type PurgeOptions = {
  /** Ends it after the batch in hand. */
  readonly signal: AbortSignal;
  readonly batch?: number;
  readonly maxMs?: number;
};

const BATCH = 1_000;
const MAX_MS = 60_000;

/**
 * Deletes what is old in batches that commit, however much has gathered: no statement is long, and what was deleted stays
 * so. `deleteSome` deletes at most `limit` rows in a statement or transaction of its own and answers how many. Ends when
 * there is less than a batch, after `maxMs` (a minute) or with the signal; the next run goes on. Resolves to the number
 * of rows.
 */
export const purgeInBatches = async (
  deleteSome: Purge,
  { signal, batch = BATCH, maxMs = MAX_MS }: PurgeOptions,
): Promise<number> => {
  const endsAt = performance.now() + maxMs;
  let purged = 0;
  for (let last = batch; last >= batch && !signal.aborted && performance.now() < endsAt; purged += last)
    last = await deleteSome(batch);
  return purged;
};

/**
 * One purge after the other, each in batches; resolves to how many rows each has deleted. One that fails keeps none of the others: what failed
 * is thrown after the last of them.
 */
export const purgeEach = async <Name extends string>(
  purges: Readonly<Record<Name, Purge>>,
  options: PurgeOptions,
): Promise<Record<Name, number>> => {
  const purged = {} as Record<Name, number>;
  const failures: Error[] = [];
  for (const [name, purge] of Object.entries<Purge>(purges))
    try {
      purged[name as Name] = await purgeInBatches(purge, options);
    } catch (error) {
      failures.push(new Error(`could not purge ${name}`, { cause: error }));
    }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join('; '));
  return purged;
};

/** Rows of `table` in order of age; the names are the code's own. */
export type AgingRows = {
  readonly table: string;
  /** The column that says how old a row is. An index on it keeps the purge short. */
  readonly age: string;
  /** A further condition; `row` is the row. */
  readonly where?: string;
};

/**
 * Creates the purge of rows whose age lies before a moment, or before an interval such as '30 days' by the database's clock.
 * It deletes the oldest first, at the place of each row, so that no plan reads the table, and leaves locked rows to the next run. The table
 * may not be partitioned: each partition has the same places.
 */
export const purgeOlder = (
  db: Pick<SqlExecutor, '$executeRawUnsafe'>,
  { table, age, where = 'true' }: AgingRows,
  before: Date | string,
): Purge => {
  const moment = typeof before === 'string' ? 'now() - $1::interval' : '$1::timestamptz';
  const sql = `
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} AS row WHERE ${age} <= ${moment} AND ${where}
      ORDER BY ${age} LIMIT $2 FOR UPDATE SKIP LOCKED))`;
  return (limit) => db.$executeRawUnsafe(sql, before, limit);
};

import type { Backlog, Sql } from '@tds/service-kit';

/** More need not be counted to know that there are too many. */
const MOST_COUNTED = 10_000;
/** Told in vain so often, the ledger has not been told for more than a minute. */
const TRIES = 3;

const countOf = async (sql: Sql, name: string, rows: string, value: number): Promise<Backlog> => {
  const text = `SELECT count(*)::int AS count FROM (SELECT FROM ${rows} LIMIT ${MOST_COUNTED}) AS found`;
  const [found] = await sql<{ count: number }>({ name, text }, [value]);
  return { count: found?.count ?? 0 };
};

/** Rows of this lane that wait for their turn: 0 somebody waits for, 1 are of jobs. */
export const waitingRows = (sql: Sql, lane: 0 | 1): Promise<Backlog> =>
  countOf(sql, 'waiting-rows', "operations WHERE state = 'ready' AND lane = $1", lane);

/** Charges and returns that the ledger has not taken when told. */
export const untoldDues = (sql: Sql): Promise<Backlog> =>
  countOf(sql, 'untold-dues', 'dues WHERE tries >= $1', TRIES);

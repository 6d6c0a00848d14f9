import type { Sql } from '@tds/service-kit';
import type { Lane } from '../domain/operation.ts';
import type { Database } from './database.ts';

/** What the ledger is to be told of one reservation. */
export type DueRound = {
  readonly ref: string;
  readonly lane: Lane;
  /** The job; null for a read. */
  readonly line_id: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly charge: readonly number[];
  readonly give_back: readonly number[];
};

export type Due = { readonly id: string; readonly rounds: readonly DueRound[] };

const LONGEST_WAIT_SECONDS = 60;

const TAKE = {
  name: 'take-dues',
  text: `
    UPDATE dues SET tries = tries + 1, due_at = now() + least(2 ^ tries * 10, $2) * interval '1 second'
    WHERE id IN (SELECT id FROM dues WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING id, rounds`,
};

/** Some of what is due; it is due again a while later, each time a longer one. */
export const takeDues = (sql: Sql, most: number): Promise<Due[]> =>
  sql<Due>(TAKE, [most, LONGEST_WAIT_SECONDS]);

const DONE = {
  name: 'due-is-done',
  text: `
    WITH done AS (DELETE FROM dues WHERE id = $1 RETURNING rounds)
    UPDATE operations SET given_back = true WHERE id IN (
      SELECT (r ->> 'ref')::uuid FROM done, jsonb_array_elements(rounds) AS r
      WHERE (r ->> 'lane')::smallint = 0 AND jsonb_array_length(r -> 'give_back') > 0)`,
};

/** The ledger has been told: reads that failed may be answered. */
export const dueIsDone = async (sql: Sql, id: string): Promise<void> => {
  await sql(DONE, [id]);
};

/** Of a round, what the ledger cannot charge any more; answers how much of it was charged until now. */
export const saveUncollected = async (
  db: Database,
  ref: string,
  parts: readonly number[],
): Promise<number> => {
  const where = { ref, part: { in: [...parts] }, charge: { gt: 0 }, uncollected: false };
  return (await db.operation.updateMany({ where, data: { uncollected: true } })).count;
};

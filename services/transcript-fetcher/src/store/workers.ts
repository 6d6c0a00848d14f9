import type { Sql } from '@tds/service-kit';

/** How many places of each lane: those of reads, and those of jobs. */
export type LanePlaces = readonly [reads: number, jobs: number];

const TAKE = { name: 'take-places', text: 'SELECT take_places($1, $2, $3, $4) AS given' };

export type Taking = {
  /** What it may use until the answer. */
  readonly kept: LanePlaces;
  readonly wanted: LanePlaces;
  /** What all workers may hold together. */
  readonly all: LanePlaces;
};

/** Says that this worker lives, for ten seconds; answers which places it has from now on. */
export const takePlaces = async (
  sql: Sql,
  workerId: string,
  { kept, wanted, all }: Taking,
): Promise<LanePlaces> => {
  const [row] = await sql<{ given: LanePlaces }>(TAKE, [workerId, kept, wanted, all]);
  if (!row) throw new Error('places were asked for and not answered');
  return row.given;
};

const LEAVE = {
  name: 'leave',
  text: `
    WITH gone AS (DELETE FROM workers WHERE id = $1 OR alive_until < now() - interval '1 hour')
    UPDATE fetches SET worker_id = NULL WHERE worker_id = $1 AND state = 'open'`,
};

/** What this worker has in hand may be taken over at once, and has not suffered. */
export const leave = async (sql: Sql, id: string): Promise<void> => {
  await sql(LEAVE, [id]);
};

/** A read's credit is asked for within this time of its birth, or never. */
export const LONGEST_OPENING_SECONDS = 20;

/** When something of what a death leaves may be there: a fetch that somebody works on, and rows that wait for their turn, at any time. */
export const FIRST_LOST = `
  SELECT min(at) FROM (
    (SELECT due_at AS at FROM dues ORDER BY due_at LIMIT 1)
    UNION ALL
    (SELECT created_at + interval '${LONGEST_OPENING_SECONDS} s' FROM operations WHERE state = 'opened' ORDER BY created_at LIMIT 1)
    UNION ALL
    (SELECT begun_at FROM fetches WHERE state = 'open' LIMIT 1)
    UNION ALL
    (SELECT turn FROM turns WHERE in_line ORDER BY lane, turn LIMIT 1)
  ) AS left_behind`;

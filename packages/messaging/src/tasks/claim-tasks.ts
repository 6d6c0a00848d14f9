import type { Pool } from 'pg';
import type { Floors, Look } from './floors.ts';

/** A task as its worker has leased it; `epoch` is the fencing token. */
export type ClaimedTask = {
  readonly id: string;
  readonly name: string;
  readonly payload: unknown;
  readonly headers: unknown;
  readonly attempt: number;
  /** How many workers vanished while they had it leased. */
  readonly lostLeases: number;
  /** Its end may have made another one claimable. */
  readonly isPartitioned: boolean;
  readonly epoch: string;
  /** From being due to this claim. */
  readonly lagMs: number;
};

type QueueRoom = {
  readonly name: string;
  readonly limit: number;
  readonly leaseMs: number;
};

/** When the task is due and no worker holds it. Matches the index `tasks_free_from`. */
export const FREE_FROM = 'greatest(due_at, lease_until)';

/**
 * The first open task of a queue, even if a worker holds it; and the tasks that are due by now. That is later than
 * now(), so that of what was committed together nothing is left behind.
 */
const FIRST_OF_WANTED = `
  SELECT wanted.*, clock_timestamp() AS until, (
    SELECT ${FREE_FROM} FROM messaging.tasks
    WHERE name = wanted.name AND state = 'ready'
      AND ${FREE_FROM} >= to_timestamp(wanted.floor_ms / 1000)
    ORDER BY ${FREE_FROM} LIMIT 1) AS first`;

/** Two workers died holding it, so it may have killed them. A free task with a lease is one that was lost. */
export const IS_SUSPECT = '(lost_leases + CASE WHEN lease_until IS NULL THEN 0 ELSE 1 END) >= 2';

/**
 * Makes the tasks of `due` those of this worker. A task whose holder vanished is repeated under the same attempt number, because a dead
 * worker is not the task's failure; except if the attempt had begun what others see.
 */
const TAKE = `
  UPDATE messaging.tasks SET
    lease_until = clock_timestamp() + due.lease_ms * interval '1 millisecond',
    lease_epoch = lease_epoch + 1,
    attempts = attempts + CASE WHEN lease_until IS NULL OR effect_attempt = attempts THEN 1 ELSE 0 END,
    lost_leases = greatest(lost_leases + CASE WHEN lease_until IS NULL THEN 0 ELSE 1 END, 0)
  FROM due WHERE tasks.id = due.id RETURNING tasks.*`;

const CLAIMED = `
  claimed.id, claimed.payload, claimed.headers, claimed.attempts AS attempt, claimed.lost_leases AS "lostLeases",
  claimed.partition_key IS NOT NULL AS "isPartitioned", claimed.lease_epoch AS epoch,
  (extract(epoch FROM clock_timestamp() - claimed.due_at) * 1000)::float8 AS "lagMs"`;

/**
 * Takes due tasks that no worker holds, oldest first, per name up to the limit; suspects are left. Answers what was
 * seen, too, also if nothing was taken.
 */
const CLAIM = {
  name: 'tasks-claim',
  text: `
    WITH looked AS MATERIALIZED (
      ${FIRST_OF_WANTED}
      FROM unnest($1::text[], $2::int[], $3::int[], $4::float8[]) AS wanted (name, free, lease_ms, floor_ms)
    ), due AS (
      SELECT found.id, looked.lease_ms FROM looked CROSS JOIN LATERAL (
        SELECT id FROM messaging.tasks
        WHERE name = looked.name AND state = 'ready'
          AND ${FREE_FROM} BETWEEN looked.first AND looked.until AND NOT ${IS_SUSPECT}
        ORDER BY ${FREE_FROM} LIMIT looked.free FOR UPDATE SKIP LOCKED
      ) AS found
    ), claimed AS (${TAKE})
    SELECT looked.name, ${CLAIMED},
      (extract(epoch FROM looked.first) * 1000)::float8 AS "firstMs", (extract(epoch FROM now()) * 1000)::float8 AS "atMs",
      pg_snapshot_xmin(pg_current_snapshot())::text::float8 AS xmin,
      pg_snapshot_xmax(pg_current_snapshot())::text::float8 AS xmax
    FROM looked LEFT JOIN claimed ON claimed.name = looked.name
    ORDER BY claimed.due_at`,
};

type ClaimRow = Omit<ClaimedTask, 'id'> &
  Look & { readonly id: string | null; readonly firstMs: number | null };

/** Claims from the floors on, and raises them. */
export const claimTasks = async (
  pool: Pool,
  floors: Floors,
  wanted: readonly QueueRoom[],
): Promise<ClaimedTask[]> => {
  const column = (of: keyof QueueRoom) => wanted.map((each) => each[of]);
  const values = [
    column('name'),
    column('limit'),
    column('leaseMs'),
    wanted.map(({ name }) => floors.of(name)),
  ];
  const { rows } = await pool.query<ClaimRow>({ ...CLAIM, values });
  for (const row of rows) floors.saw(row, row.name, row.firstMs);
  return rows.flatMap(({ id, ...rest }) => (id === null ? [] : [{ id, ...rest }]));
};

const LOOK_DEEP = `
  WITH looked AS (
    ${FIRST_OF_WANTED}
    FROM unnest($1::text[]) AS queue (name) CROSS JOIN LATERAL (SELECT queue.name, '-Infinity'::float8 AS floor_ms) AS wanted
  )
  SELECT name, (extract(epoch FROM first) * 1000)::float8 AS "firstMs" FROM looked`;

/**
 * Looks below the floors, over all that is still in the index: for tasks that were saved by a transaction of more than 30
 * seconds, or by hand with a time that is past. Resolves to the names whose floors came down.
 */
export const lookBelowFloors = async (
  pool: Pool,
  floors: Floors,
  names: readonly string[],
): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string; firstMs: number | null }>(LOOK_DEEP, [names]);
  return rows.flatMap(({ name, firstMs }) => (firstMs !== null && floors.lower(name, firstMs) ? [name] : []));
};

/**
 * Takes due suspects without regard to the floors: there are few, and they have an index of their own. Those that most
 * workers have died with come first, so that they begin with as few others as possible.
 */
const CLAIM_SUSPECTS = `
  WITH due AS (
    SELECT tasks.id, served.lease_ms
    FROM messaging.tasks JOIN unnest($1::text[], $2::int[]) AS served (name, lease_ms) ON served.name = tasks.name
    WHERE state = 'ready' AND lost_leases > 0 AND ${IS_SUSPECT} AND ${FREE_FROM} <= now()
    ORDER BY lost_leases DESC, ${FREE_FROM} LIMIT $3 FOR UPDATE OF tasks SKIP LOCKED
  ), claimed AS (${TAKE})
  SELECT name, ${CLAIMED} FROM claimed`;

export const claimSuspects = async (
  pool: Pool,
  served: readonly Pick<QueueRoom, 'name' | 'leaseMs'>[],
  most: number,
): Promise<ClaimedTask[]> => {
  const values = [served.map(({ name }) => name), served.map(({ leaseMs }) => leaseMs), most];
  return (await pool.query<ClaimedTask>({ name: 'tasks-suspects', text: CLAIM_SUSPECTS, values })).rows;
};

/** The tasks that a look asks for, and from which moments on: milliseconds since 1970 before which none is free. */
export type WantedTasks = { readonly tasks: readonly string[]; readonly floorsMs: readonly number[] };

/** Tasks that a look found and no worker has begun. */
export type FoundTasks = Look & {
  /** By name, when its first open task is free; null if there is none. */
  readonly firstMs: readonly (number | null)[];
  /** Of each name, when the first is wanted that no claim takes yet. */
  readonly parkedMs: readonly (number | null)[];
  /** Names with tasks that no claim takes yet: their time has come, or they stand in line. */
  readonly parked: readonly string[];
  readonly hasSuspects: boolean;
};

/** The names, $1, from their floors, $2, on. */
export const WANTED_TASKS = `
  ${FIRST_OF_WANTED} FROM unnest($1::text[], $2::float8[]) WITH ORDINALITY AS wanted (name, floor_ms, place)`;

/** The columns of a found row of `wanted_tasks`. */
export const FOUND_TASKS = `
  (extract(epoch FROM now()) * 1000)::float8 AS "atMs",
  pg_snapshot_xmin(pg_current_snapshot())::text::float8 AS xmin,
  pg_snapshot_xmax(pg_current_snapshot())::text::float8 AS xmax,
  ARRAY (SELECT (extract(epoch FROM first) * 1000)::float8 FROM wanted_tasks ORDER BY place) AS "firstMs",
  ARRAY (SELECT (extract(epoch FROM (
      SELECT wanted_at FROM messaging.tasks
      WHERE name = wanted_tasks.name AND state = 'ready' AND NOT in_line AND wanted_at IS NOT NULL
      ORDER BY wanted_at LIMIT 1)) * 1000)::float8 FROM wanted_tasks ORDER BY place) AS "parkedMs",
  ARRAY (SELECT name FROM wanted_tasks
    WHERE EXISTS (
      SELECT FROM messaging.tasks
      WHERE name = wanted_tasks.name AND state = 'ready' AND NOT in_line AND wanted_at <= now())
    OR EXISTS (SELECT FROM messaging.tasks WHERE name = wanted_tasks.name AND state = 'ready' AND in_line)) AS parked,
  EXISTS (
    SELECT FROM messaging.tasks
    WHERE state = 'ready' AND lost_leases > 0 AND ${IS_SUSPECT} AND ${FREE_FROM} <= now()
      AND name = ANY ($1)) AS "hasSuspects"`;

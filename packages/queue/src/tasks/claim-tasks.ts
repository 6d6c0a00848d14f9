import type { Pool } from 'pg';

/** A task as its worker has leased it; `epoch` is the fencing token. */
export type ClaimedTask = {
  readonly id: string;
  readonly name: string;
  readonly payload: unknown;
  readonly headers: unknown;
  readonly attempt: number;
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

/** Makes the tasks of `due` those of this worker. The attempt counts from now on, whatever becomes of the process. */
const TAKE = `
  UPDATE messaging.tasks SET
    lease_until = clock_timestamp() + due.lease_ms * interval '1 millisecond', lease_epoch = lease_epoch + 1, attempts = attempts + 1
  FROM due WHERE tasks.id = due.id AND (NOT is_suspect OR due.id = (SELECT id FROM due WHERE is_suspect LIMIT 1))
  RETURNING tasks.*`;

const CLAIMED = `
  claimed.id, claimed.payload, claimed.headers, claimed.attempts AS attempt,
  claimed.partition_key IS NOT NULL AS "isPartitioned", claimed.lease_epoch AS epoch,
  (extract(epoch FROM clock_timestamp() - claimed.due_at) * 1000)::float8 AS "lagMs"`;

/** No other task of its partition is leased; if this one is not either, none comes before it. */
export const IS_FIRST = `(
  task.partition_key IS NULL OR NOT EXISTS (
    SELECT FROM messaging.tasks AS other
    WHERE other.name = task.name AND other.partition_key = task.partition_key AND other.state = 'ready'
      AND other.lease_until IS NOT NULL AND other.id <> task.id
  ) AND (task.lease_until IS NOT NULL OR NOT EXISTS (
    SELECT FROM messaging.tasks AS other
    WHERE other.name = task.name AND other.partition_key = task.partition_key AND other.state = 'ready'
      AND (other.due_at, other.id) < (task.due_at, task.id))))`;

/** Asked in this order: the function sees what other processes have claimed since this statement began, and costs more. */
const MAY_BEGIN = `CASE
  WHEN task.partition_key IS NULL THEN true
  WHEN NOT ${IS_FIRST} THEN false
  ELSE messaging.take_turn(task.id, task.name, task.partition_key) END`;

/** Its worker vanished, and it was not the first attempt. */
const IS_SUSPECT = 'lease_until IS NOT NULL AND attempts > 1';

/**
 * Takes due tasks that no worker holds, oldest first, per name up to the limit. Of those that
 * may have killed their workers it takes one: if that one kills this process too, the others lose no attempt.
 */
const CLAIM = {
  name: 'tasks-claim',
  text: `
    WITH due AS (
      SELECT found.id, found.is_suspect, wanted.lease_ms
      FROM unnest($1::text[], $2::int[], $3::int[]) AS wanted (name, free, lease_ms) CROSS JOIN LATERAL (
        SELECT id, ${IS_SUSPECT} AS is_suspect FROM messaging.tasks AS task
        WHERE name = wanted.name AND state = 'ready' AND ${FREE_FROM} <= clock_timestamp() AND ${MAY_BEGIN}
        ORDER BY ${FREE_FROM} LIMIT wanted.free FOR UPDATE SKIP LOCKED
      ) AS found
    ), claimed AS (${TAKE})
    SELECT claimed.name, ${CLAIMED} FROM claimed ORDER BY claimed.due_at`,
};

export const claimTasks = async (pool: Pool, wanted: readonly QueueRoom[]): Promise<ClaimedTask[]> => {
  const column = (of: keyof QueueRoom) => wanted.map((each) => each[of]);
  const values = [column('name'), column('limit'), column('leaseMs')];
  return (await pool.query<ClaimedTask>({ ...CLAIM, values })).rows;
};

/** Tasks that a poll found and no worker has begun. Moments are milliseconds since 1970. */
export type FoundTasks = {
  readonly atMs: number;
  /** By name, when its first open task is free; null if there is none. */
  readonly firstMs: readonly (number | null)[];
};

/** The names, $1. */
export const WANTED_TASKS = `
  SELECT wanted.*, (
    SELECT ${FREE_FROM} FROM messaging.tasks WHERE name = wanted.name AND state = 'ready' ORDER BY ${FREE_FROM} LIMIT 1) AS first
  FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place)`;

/** The columns of a found row of `wanted_tasks`. */
export const FOUND_TASKS = `
  (extract(epoch FROM now()) * 1000)::float8 AS "atMs",
  ARRAY (SELECT (extract(epoch FROM first) * 1000)::float8 FROM wanted_tasks ORDER BY place) AS "firstMs"`;

import { named } from '@tds/base/internals';
import type { Task } from '@tds/contracts';
import type { Pool } from 'pg';
import { FREE_FROM, type Leased, takeLease } from '../leases.ts';
import type { WorkerPool } from '../worker-pool.ts';

/** A task as its worker has leased it. */
export type ClaimedTask = Leased & {
  readonly name: string;
  readonly payload: unknown;
  readonly headers: unknown;
  readonly attempt: number;
  /** Its workers vanished: it may have killed them. */
  readonly isSuspect: boolean;
  /** Its end may have made another one claimable. */
  readonly isPartitioned: boolean;
  /** From being due to this claim. */
  readonly lagMs: number;
};

/** The tasks of one name that this process works on. */
export type TaskPool = WorkerPool<ClaimedTask> & { readonly task: Task };

type QueueRoom = {
  readonly name: string;
  readonly limit: number;
  readonly leaseMs: number;
};

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
  ELSE messaging.may_lease(task.id, task.name, task.partition_key) END`;

/**
 * Takes due tasks that no worker holds, oldest first, per name up to the limit. An attempt counts from now on, whatever becomes of the
 * process. Suspects have lost a worker after their first attempt; it takes one at most: if that one kills this process too, the others
 * lose no attempt.
 */
const CLAIM = `
  WITH due AS (
    SELECT found.*, wanted.lease_ms
    FROM unnest($1::text[], $2::int[], $3::int[]) AS wanted (name, free, lease_ms) CROSS JOIN LATERAL (
      SELECT id, ${FREE_FROM} AS free_from, lease_until IS NOT NULL AND attempts > 1 AS is_suspect
      FROM messaging.tasks AS task
      WHERE name = wanted.name AND state = 'ready' AND ${FREE_FROM} <= clock_timestamp() AND ${MAY_BEGIN}
      ORDER BY ${FREE_FROM} LIMIT wanted.free FOR UPDATE SKIP LOCKED
    ) AS found
  ), claimed AS (
    UPDATE messaging.tasks SET ${takeLease('due.lease_ms')}, attempts = attempts + 1
    FROM due WHERE tasks.id = due.id
      AND (NOT is_suspect OR $4::boolean AND due.id = (SELECT id FROM due WHERE is_suspect ORDER BY free_from LIMIT 1))
    RETURNING tasks.*, is_suspect
  )
  SELECT id, name, payload, headers, attempts AS attempt, is_suspect AS "isSuspect",
    partition_key IS NOT NULL AS "isPartitioned", lease_epoch AS epoch,
    (extract(epoch FROM clock_timestamp() - due_at) * 1000)::float8 AS "lagMs"
  FROM claimed ORDER BY due_at`;

export const claimTasks = async (
  pool: Pool,
  queueRooms: readonly QueueRoom[],
  takesSuspect = true,
): Promise<ClaimedTask[]> => {
  const column = (key: keyof QueueRoom) => queueRooms.map((each) => each[key]);
  const values = [column('name'), column('limit'), column('leaseMs'), takesSuspect];
  return (await pool.query<ClaimedTask>(named(CLAIM, values))).rows;
};

/** A query: when the first open task of these names is free. */
export const firstTaskSql = (names: readonly string[]): string => `
  SELECT min(first.free_from) FROM unnest('{${names.join(',')}}'::text[]) AS wanted (name), LATERAL (
    SELECT ${FREE_FROM} AS free_from FROM messaging.tasks WHERE name = wanted.name AND state = 'ready'
    ORDER BY ${FREE_FROM} LIMIT 1) AS first`;

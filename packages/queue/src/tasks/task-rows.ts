import type { SqlExecutor } from '@tds/base';
import type { Pool } from 'pg';
import { createRenewal, heldRows, inMs, type Leased, toColumns } from '../leases.ts';

/** Every change of a leased task goes through this: it does nothing when the lease has gone to another. */
const HELD = `id = $1::uuid AND lease_epoch = $2::bigint AND state = 'ready'`;

const COMPLETE = `
  UPDATE messaging.tasks SET state = 'done', finished_at = clock_timestamp(), lease_until = NULL WHERE ${HELD}`;

/** False if another worker has taken the task over. */
export const completeTask = async (tx: SqlExecutor, { id, epoch }: Leased): Promise<boolean> =>
  (await tx.$executeRawUnsafe(COMPLETE, id, epoch)) === 1;

/** One statement: the dead state never stands without its letter. */
const BURY = `
  WITH buried AS (
    UPDATE messaging.tasks SET state = 'dead', finished_at = clock_timestamp(), lease_until = NULL, last_error = $3::text
    WHERE ${HELD} RETURNING id, name, payload, headers, attempts
  )
  INSERT INTO messaging.dead_letters (kind, source, message_id, payload, headers, reason, attempts)
  SELECT 'task', name, id, payload, headers, $3::text, attempts FROM buried`;

export const buryTask = async (tx: SqlExecutor, { id, epoch }: Leased, reason: string): Promise<boolean> =>
  (await tx.$executeRawUnsafe(BURY, id, epoch, reason)) === 1;

const RETRY = `
  UPDATE messaging.tasks SET due_at = ${inMs('$3')}, lease_until = NULL,
    last_error = $4::text, attempts = greatest(attempts - CASE WHEN $5::boolean THEN 0 ELSE 1 END, 0)
  WHERE ${HELD}`;

export type NextAttempt = {
  readonly afterMs: number;
  readonly error: string;
  /** False for an attempt that could not begin what it is for: it is released. */
  readonly isCounted: boolean;
};

/** Gives the task back for its next attempt. */
export const retryTask = async (
  tx: SqlExecutor,
  { id, epoch }: Leased,
  { afterMs, error, isCounted }: NextAttempt,
): Promise<boolean> => (await tx.$executeRawUnsafe(RETRY, id, epoch, afterMs, error, isCounted)) === 1;

/** Releases unfinished tasks of a process that ends, as if they had not been tried. */
const RELEASE = `
  UPDATE messaging.tasks SET lease_until = NULL, due_at = clock_timestamp(), attempts = greatest(attempts - 1, 0)
  FROM ${heldRows('uuid')} WHERE id = held_id AND lease_epoch = held_epoch AND state = 'ready'`;

export const releaseTasks = async (pool: Pool, leased: readonly Leased[]): Promise<void> => {
  if (leased.length > 0) await pool.query(RELEASE, toColumns(leased));
};

export const renewTasks = createRenewal('messaging.tasks', 'id', 'uuid');

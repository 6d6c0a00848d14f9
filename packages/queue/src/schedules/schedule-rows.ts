import { DATABASE_EPOCH, named } from '@tds/base/internals';
import type { Pool } from 'pg';
import { createRenewal, FREE_FROM, type Leased, takeLease } from '../leases.ts';

/** The id is its name. `claimedIn`: the database's epoch, so that a run that a restore overtakes ends none of the same number there. */
export type ClaimedSchedule = Leased & Readonly<Record<'dueAt' | 'claimedIn', string>>;

const REGISTER = `
  INSERT INTO messaging.schedules (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`;
/** A running schedule runs again, because the present run may have read its rows already. */
const ADJUST = `
  UPDATE messaging.schedules SET due_at = CASE
    WHEN at_once AND (due_at > now() OR lease_until > now()) THEN now()
    ELSE least(due_at, now() + every_seconds * interval '1 second') END
  FROM unnest($1::text[], $2::float8[], $3::boolean[]) AS schedule (schedule_name, every_seconds, at_once) WHERE name = schedule_name`;

type Registration = { readonly name: string; readonly everySeconds: number; readonly alsoOnConnect: boolean };

/**
 * A schedule that is new is due at once; one that is known keeps its time, unless its period has become shorter or it is
 * to run on every connection.
 */
export const registerSchedules = async (pool: Pool, schedules: readonly Registration[]): Promise<void> => {
  const names = schedules.map(({ name }) => name);
  const periods = schedules.map(({ everySeconds }) => everySeconds);
  await pool.query(REGISTER, [names]);
  await pool.query(ADJUST, [names, periods, schedules.map(({ alsoOnConnect }) => alsoOnConnect)]);
};

/** After a swap, leases of the earlier state are void, and what was lost with it is searched for at once. */
export const releaseSchedules = async (pool: Pool, names: readonly string[]): Promise<void> => {
  const release = 'UPDATE messaging.schedules SET lease_until = NULL, due_at = least(due_at, now())';
  await pool.query(`${release} WHERE name = ANY ($1::text[])`, [names]);
};

/** A query: when the first of these is due and no instance holds it. */
export const firstScheduleSql = (names: readonly string[]): string =>
  `SELECT min(${FREE_FROM}) FROM messaging.schedules WHERE name = ANY ('{${names.join(',')}}'::text[])`;

const CLAIM = `
  UPDATE messaging.schedules SET ${takeLease('lease_ms')}
  FROM unnest($1::text[], $2::float8[]) AS wanted (wanted_name, lease_ms)
  WHERE name = wanted_name AND ${FREE_FROM} <= now()
  RETURNING name AS id, lease_epoch AS epoch, due_at::text AS "dueAt", (${DATABASE_EPOCH}) AS "claimedIn"`;

/** Claims the schedules that are due and free. */
export const claimSchedules = async (
  pool: Pool,
  candidates: readonly { readonly name: string; readonly leaseMs: number }[],
): Promise<ClaimedSchedule[]> => {
  const columns = [candidates.map((w) => w.name), candidates.map((w) => w.leaseMs)];
  return (await pool.query<ClaimedSchedule>(named(CLAIM, columns))).rows;
};

export const renewSchedules = createRenewal('messaging.schedules', 'name', 'text');

/** Keeps the grid of periods and skips the missed ones. A run that was requested meanwhile still follows. */
const FINISH = `
  UPDATE messaging.schedules SET
    due_at = CASE WHEN due_at <> $5::timestamptz THEN due_at
      ELSE due_at + $3::float8 * interval '1 second'
        * (floor(extract(epoch FROM clock_timestamp() - due_at) / $3::float8) + 1) END,
    lease_until = NULL, finished_at = clock_timestamp(), finished_in = $6::text, last_error = $4::text
  WHERE name = $1 AND lease_epoch = $2::bigint AND (${DATABASE_EPOCH}) = $6::text`;

export const finishSchedule = async (
  pool: Pool,
  { id, epoch, dueAt, claimedIn }: ClaimedSchedule,
  result: { readonly everySeconds: number; readonly error: string | null },
): Promise<void> => {
  await pool.query(FINISH, [id, epoch, result.everySeconds, result.error, dueAt, claimedIn]);
};

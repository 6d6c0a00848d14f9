import { DATABASE_EPOCH } from '@tds/base/internals';
import type { Pool } from 'pg';

/** `claimedIn`: the database's epoch, so that a run that a restore overtakes counts for the state that it began in. */
export type ClaimedSchedule = Readonly<Record<'name' | 'epoch' | 'dueAt' | 'claimedIn', string>>;

const REGISTER = `
  INSERT INTO messaging.schedules (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING`;
const SHORTEN = `
  UPDATE messaging.schedules SET next_due_at = now() + every_seconds * interval '1 second'
  FROM unnest($1::text[], $2::float8[]) AS given (given_name, every_seconds)
  WHERE name = given_name AND next_due_at > now() + every_seconds * interval '1 second'`;

/** A running schedule runs again, because the present run may have read its rows already. */
const DUE = `
  UPDATE messaging.schedules SET next_due_at = now()
  WHERE name = ANY ($1::text[]) AND (next_due_at > now() OR lease_until > now())`;

type Registered = {
  readonly name: string;
  readonly everySeconds: number;
  readonly alsoOnConnect: boolean;
};

/**
 * A schedule that is new is due at once; one that is known keeps its time, unless its period has become shorter or it is
 * to run on every connection.
 */
export const registerSchedules = async (pool: Pool, schedules: readonly Registered[]): Promise<void> => {
  const columns = [schedules.map(({ name }) => name), schedules.map(({ everySeconds }) => everySeconds)];
  await pool.query(REGISTER, [columns[0]]);
  await pool.query(SHORTEN, columns);
  const atOnce = schedules.filter(({ alsoOnConnect }) => alsoOnConnect).map(({ name }) => name);
  if (atOnce.length > 0) await pool.query(DUE, [atOnce]);
};

/** After a swap, leases of the earlier state are void, and what was lost with it is searched for at once. */
const RELEASE = `
  UPDATE messaging.schedules SET lease_until = NULL, next_due_at = least(next_due_at, now()) WHERE name = ANY ($1::text[])`;

export const releaseSchedules = async (pool: Pool, names: readonly string[]): Promise<void> => {
  await pool.query(RELEASE, [names]);
};

/** The schedule is due and no instance holds it. */
export const IS_DUE = 'next_due_at <= now() AND (lease_until IS NULL OR lease_until < now())';

/** Of those that a condition follows for. */
export const FIRST_DUE_AT = 'SELECT min(greatest(next_due_at, lease_until)) FROM messaging.schedules';

const CLAIM = {
  name: 'schedules-claim',
  text: `
    UPDATE messaging.schedules SET
      lease_until = clock_timestamp() + lease_ms * interval '1 millisecond', lease_epoch = lease_epoch + 1
    FROM unnest($1::text[], $2::float8[]) AS wanted (wanted_name, lease_ms)
    WHERE name = wanted_name AND ${IS_DUE}
    RETURNING name, lease_epoch AS epoch, next_due_at::text AS "dueAt", (${DATABASE_EPOCH}) AS "claimedIn"`,
};

/** Claims the schedules that are due and free. */
export const claimSchedules = async (
  pool: Pool,
  wanted: readonly { readonly name: string; readonly leaseMs: number }[],
): Promise<ClaimedSchedule[]> => {
  const columns = [wanted.map((w) => w.name), wanted.map((w) => w.leaseMs)];
  return (await pool.query<ClaimedSchedule>({ ...CLAIM, values: columns })).rows;
};

const HELD = 'name = $1 AND lease_epoch = $2::bigint';

const RENEW = `
  UPDATE messaging.schedules SET lease_until = clock_timestamp() + $3::float8 * interval '1 millisecond' WHERE ${HELD}`;

/** False when another instance has taken over. */
export const renewSchedule = async (
  pool: Pool,
  { name, epoch }: ClaimedSchedule,
  leaseMs: number,
): Promise<boolean> => (await pool.query(RENEW, [name, epoch, leaseMs])).rowCount === 1;

/** Keeps the grid of periods and skips the missed ones. A run that was requested meanwhile still follows. */
const FINISH = `
  UPDATE messaging.schedules SET
    next_due_at = CASE WHEN next_due_at <> $5::timestamptz THEN next_due_at
      ELSE next_due_at + $3::float8 * interval '1 second'
        * (floor(extract(epoch FROM clock_timestamp() - next_due_at) / $3::float8) + 1) END,
    lease_until = NULL, finished_at = clock_timestamp(), finished_in = $6::text, last_error = $4::text
  WHERE ${HELD}`;

export const finishSchedule = async (
  pool: Pool,
  { name, epoch, dueAt, claimedIn }: ClaimedSchedule,
  ended: { readonly everySeconds: number; readonly error: string | null },
): Promise<void> => {
  await pool.query(FINISH, [name, epoch, ended.everySeconds, ended.error, dueAt, claimedIn]);
};

import type { Pool } from 'pg';

/** Of a row that waits for work: when it is due and no worker holds it. Each table has an index on it. */
export const FREE_FROM = 'greatest(due_at, lease_until)';

/** The database's clock decides; `ms` is an expression. */
export const inMs = (ms: string): string => `clock_timestamp() + ${ms}::float8 * interval '1 millisecond'`;

/** Assignments of a claim: the epoch is its fencing token. */
export const takeLease = (leaseMs: string): string =>
  `lease_until = ${inMs(leaseMs)}, lease_epoch = lease_epoch + 1`;

/** A row as its worker holds it. */
export type Leased = { readonly id: string; readonly epoch: string };

/** For statements about many of them: their ids as $1, their epochs as $2. */
export const heldRows = (type: 'uuid' | 'text'): string =>
  `unnest($1::${type}[], $2::bigint[]) AS held (held_id, held_epoch)`;
export const toColumns = (rows: readonly Leased[]) => [
  rows.map(({ id }) => id),
  rows.map(({ epoch }) => epoch),
];

/** Prolongs leases of a table's rows; resolves to the keys of those that are still held. What has ended meanwhile is held no more. */
export const createRenewal = (table: string, key: string, type: 'uuid' | 'text') => {
  const renewal = {
    name: `renew ${table}`,
    text: `
      UPDATE ${table} SET lease_until = ${inMs('$3')}
      FROM ${heldRows(type)} WHERE ${key} = held_id AND lease_epoch = held_epoch AND lease_until IS NOT NULL RETURNING ${key} AS id`,
  };
  return async (pool: Pool, leased: readonly Leased[], leaseMs: number): Promise<Set<string>> => {
    const values = [...toColumns(leased), leaseMs];
    const { rows } = await pool.query<{ id: string }>({ ...renewal, values });
    return new Set(rows.map(({ id }) => id));
  };
};

/** Rows that wait for work. */
export type PollTarget = {
  /** A query of one moment, each through an index: when the first of them is due. */
  readonly firstDue: string;
  /** By each poll. Rows that are due may be another process's by now. */
  onPoll(isDue: boolean): void | Promise<void>;
  beforePoll?(): Promise<void>;
  /** Nothing is known; the database may have been restored. */
  pollFailed?(): void;
  /** After the last poll: resolves when what is in hand has ended. */
  ended?(): Promise<void>;
};

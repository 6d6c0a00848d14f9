import { named } from '@tds/base/internals';
import type { Pool } from 'pg';
import { FREE_FROM, inMs, type Leased, takeLease } from './leases.ts';

/*
 * Terms
 * - row: work that waits in a table of its owner, ready from the moment in `due_at`
 * - claim: one statement that leases due rows to a worker and counts a try
 * - lease: until when a row belongs to its worker; then another one may claim it
 * - epoch: the number of the claim; a worker with an older one saves nothing (the fence)
 * - partition: what runs one task at a time, an account for example
 * - turn: one run of the loop: it saves what ended and claims more
 * - poll: the statement that finds when the first row of any table is due
 */

/**
 * A table of rows that wait for work. It has `id uuid`, `due_at timestamptz`, `lease_until timestamptz`,
 * `lease_epoch bigint NOT NULL DEFAULT 0`, and an index on `(greatest(due_at, lease_until))`. All names here are the code's own.
 */
type QueueTable = {
  readonly table: string;
  /** The columns that a claim reads beside the id. */
  readonly reads: readonly string[];
  /** The columns that an outcome writes, with their types. */
  readonly writes?: Readonly<Record<string, string>>;
  /** The column that says when an outcome was last saved. */
  readonly stamps?: string;
  /** After this time a claimed row is free for others. Several: of its first try, its second, ...; `tries smallint` counts them. */
  readonly leaseMs: number | readonly number[];
  /** The next time is later by up to this share, so that rows that were due together do not stay together. */
  readonly jitter?: number;
  /** No row waits unless this holds: of the row, as its index has it, or of the database. */
  readonly where?: string;
};

/** A row of which this process holds a claim. `dueAt` is the moment as the database writes it. */
export type Due<Row> = Row & Leased & { readonly dueAt: string };

export type DueOutcome<Written> = {
  readonly nextInMs: number;
  readonly changes?: Written;
};

export type SavedOutcome<Written> = DueOutcome<Written> & Due<unknown>;

type Database = Pick<Pool, 'query'>;

/** Rows that are due and not claimed, for `kit.onBacklog`. */
export const countOverdue = async (pool: Database, table: string, freeFrom: string, where = 'true') => {
  const { rows } = await pool.query<{ count: number; oldestSeconds: number }>(`
    SELECT count(*)::int AS count, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS "oldestSeconds"
    FROM ${table} WHERE ${freeFrom} <= now() AND ${where}`);
  return rows[0] ?? { count: 0 };
};

/** The ids stand in an array, so that each is looked up by its key, also by a plan that was made while the table was empty. */
const claimSql = ({ table, reads, leaseMs, where = 'true' }: QueueTable): string => {
  const isTried = typeof leaseMs === 'object';
  const lease = `($2::float8[])[${isTried ? 'least(tries + 1, cardinality($2::float8[]))' : 1}]`;
  return `
    UPDATE ${table} SET ${takeLease(lease)}${isTried ? ', tries = tries + 1' : ''}
    WHERE id = ANY (ARRAY(
      SELECT id FROM ${table} WHERE ${FREE_FROM} <= now() AND ${where} ORDER BY ${FREE_FROM} LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING ${['id', ...reads].join(', ')}, lease_epoch AS epoch, due_at::text AS "dueAt"`;
};

const saveSql = ({ table, writes = {}, stamps, jitter = 0 }: QueueTable): string => {
  const sets = Object.keys(writes).map((column) => `${column} = outcome.${column}, `);
  const types = Object.entries(writes).map(([column, type]) => `, ${column} ${type}`);
  return `
    UPDATE ${table} AS row SET ${sets.join('')}${stamps ? `${stamps} = clock_timestamp(), ` : ''}lease_until = NULL,
      due_at = CASE WHEN row.due_at IS DISTINCT FROM outcome."dueAt" THEN row.due_at
        ELSE ${inMs(`(outcome.next_in_ms * (1 + random() * ${jitter}))`)} END
    FROM jsonb_to_recordset($1::jsonb)
      AS outcome (id uuid, epoch bigint, "dueAt" timestamptz, next_in_ms float8${types.join('')})
    WHERE row.id = outcome.id AND row.lease_epoch = outcome.epoch
    RETURNING row.id`;
};

/** Claims and outcomes of one table, by the database's clock. */
export const defineQueue = <Row extends object, Written extends object>(table: QueueTable) => {
  const { table: name, where = 'true' } = table;
  const [claim, save] = [claimSql(table), saveSql(table)];
  const leases = [table.leaseMs].flat();
  return {
    /** The shortest lease. */
    leaseMs: Math.min(...leases),
    /** A query for `kit.onDue`: when the first free row is due. */
    firstDue: `SELECT ${FREE_FROM} FROM ${name} WHERE ${where} ORDER BY ${FREE_FROM} LIMIT 1`,
    overdue: (pool: Database) => countOverdue(pool, name, FREE_FROM, where),
    /** Takes the free rows that have been due for longest. */
    claim: async (pool: Database, limit: number): Promise<Due<Row>[]> =>
      (await pool.query<Due<Row>>(named(claim, [limit, leases]))).rows,
    /** Resolves to the ids of those that were saved: not of rows that others hold by now. What was made due meanwhile stays due. */
    save: async (pool: Database, outcomes: readonly SavedOutcome<Written>[]): Promise<string[]> => {
      if (outcomes.length === 0) return [];
      const records = outcomes.map(({ nextInMs, changes, ...held }) => {
        return { ...held, ...changes, next_in_ms: nextInMs };
      });
      const { rows } = await pool.query<{ id: string }>(named(save, [JSON.stringify(records)]));
      return rows.map(({ id }) => id);
    },
  };
};

export type Queue<Row extends object, Written extends object> = ReturnType<typeof defineQueue<Row, Written>>;

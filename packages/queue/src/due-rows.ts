import { setTimeout as delay } from 'node:timers/promises';
import { endsWithin } from '@tds/base';
import { withinTimeLimit } from '@tds/base/internals';
import type { Pool } from 'pg';
import { FREE_FROM, inMs, type Leased, take } from './leases.ts';
import { createTurns } from './turns.ts';

/**
 * A table of rows that are due again and again. It has `id uuid`, `due_at timestamptz NOT NULL`, `lease_until timestamptz`,
 * `lease_epoch bigint NOT NULL DEFAULT 0`, and an index on `(greatest(due_at, lease_until))`. All names here are the code's own.
 */
type DueTable = {
  readonly table: string;
  /** The columns that a claim reads beside the id. */
  readonly reads: readonly string[];
  /** The columns that an outcome writes, with their types. */
  readonly writes: Readonly<Record<string, string>>;
  /** The column that says when an outcome was last saved. */
  readonly stamps?: string;
  /** After this time a claimed row is due for others again. */
  readonly leaseMs: number;
  /** The next time is later by up to this share, so that rows that were due together do not stay together. */
  readonly jitter: number;
  /** A condition of the database, not of a row: while it does not hold no row is due. */
  readonly while?: string;
};

/** A row of which this process holds a claim. */
export type Due<Row> = Row & Leased;

export type DueOutcome<Written> = {
  readonly nextInMs: number;
  readonly written: Written;
};

type SavedOutcome<Written> = DueOutcome<Written> & Leased;

/** Claims and outcomes of one table, by the database's clock. */
type DueRows<Row, Written> = Pick<DueTable, 'leaseMs'> & {
  /** A query for `kit.onDue`: when the first free row is due. */
  readonly firstDue: string;
  /** Takes the free rows that have been due for longest. */
  claim(pool: Pick<Pool, 'query'>, most: number): Promise<Due<Row>[]>;
  /** Resolves to the ids of those that were saved: not of rows that others hold by now. */
  save(pool: Pool, outcomes: readonly SavedOutcome<Written>[]): Promise<string[]>;
};

/** Rows that are due and not claimed, for `kit.onBacklog`. */
export const countOverdue = async (pool: Pick<Pool, 'query'>, table: string, freeFrom = FREE_FROM) => {
  const { rows } = await pool.query<{ count: number; oldestSeconds: number }>(`
    SELECT count(*)::int AS count, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS "oldestSeconds"
    FROM ${table} WHERE ${freeFrom} <= now()`);
  return rows[0] ?? { count: 0 };
};

const claimSql = ({ table, reads, while: holds = 'true' }: DueTable): string => `
  WITH due AS (
    SELECT id FROM ${table} WHERE ${FREE_FROM} <= now() AND ${holds}
    ORDER BY ${FREE_FROM} LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  UPDATE ${table} AS row SET ${take('$2')} FROM due WHERE row.id = due.id
  RETURNING ${['id', ...reads].map((column) => `row.${column}`).join(', ')}, lease_epoch AS epoch`;

const saveSql = ({ table, writes, stamps, jitter }: DueTable): string => {
  const sets = Object.keys(writes).map((column) => `${column} = given.${column}, `);
  const types = Object.entries(writes).map(([column, type]) => `, ${column} ${type}`);
  return `
    UPDATE ${table} AS row SET ${sets.join('')}${stamps ? `${stamps} = clock_timestamp(), ` : ''}lease_until = NULL,
      due_at = ${inMs(`(given.next_in_ms * (1 + random() * ${jitter}))`)}
    FROM jsonb_to_recordset($1::jsonb) AS given (id uuid, epoch bigint, next_in_ms float8${types.join('')})
    WHERE row.id = given.id AND row.lease_epoch = given.epoch
    RETURNING row.id`;
};

export const dueRows = <Row extends object, Written extends object>(
  table: DueTable,
): DueRows<Row, Written> => {
  const claim = { name: `due-claim ${table.table}`, text: claimSql(table) };
  const save = { name: `due-save ${table.table}`, text: saveSql(table) };
  return {
    leaseMs: table.leaseMs,
    firstDue: `SELECT ${FREE_FROM} FROM ${table.table} WHERE ${table.while ?? 'true'} ORDER BY ${FREE_FROM} LIMIT 1`,
    claim: async (pool, most) =>
      (await pool.query<Due<Row>>({ ...claim, values: [most, table.leaseMs] })).rows,
    save: async (pool, outcomes) => {
      if (outcomes.length === 0) return [];
      const given = outcomes.map(({ nextInMs, written, ...held }) => {
        return { ...written, ...held, next_in_ms: nextInMs };
      });
      const { rows } = await pool.query<{ id: string }>({ ...save, values: [JSON.stringify(given)] });
      return rows.map(({ id }) => id);
    },
  };
};

export type DrainOptions<Row, Written> = {
  /** Handles one row; the signal fires at its time limit. A row whose work throws is due again after its lease. */
  readonly work: (row: Due<Row>, signal: AbortSignal) => Promise<DueOutcome<Written>>;
  readonly onFailure: (error: unknown, row: Due<Row>) => void;
  readonly atOnce: number;
  /** Takes no new rows after it. */
  readonly forMs?: number;
  /** Milliseconds that only grow. */
  readonly clock?: () => number;
  /** Takes no new rows once it fires; so does the work in hand. */
  readonly signal: AbortSignal;
};

/** Fewer are saved than claimed if some failed, or lost their lease. */
type Drained = { readonly claimed: number; readonly saved: number };

/** A drain claims new rows for this time (specification, part 8). */
export const DRAIN_MS = 45_000;
/** While some rows take their time, outcomes are saved and rows that have become due meanwhile are claimed so often. */
const TURN_AGAIN_MS = 250;
/** A row has to end, and its outcome to be saved, before its lease runs out. */
const SHARE_OF_LEASE = 0.8;

/** Null if the work failed: the row is due again after its lease. */
const outcomeOf = async <Row, Written>(
  row: Due<Row>,
  { leaseMs }: Pick<DueTable, 'leaseMs'>,
  { work, onFailure, signal }: DrainOptions<Row, Written>,
): Promise<SavedOutcome<Written> | null> => {
  const limit = { timeLimitMs: leaseMs * SHARE_OF_LEASE, leaseMs: 0 };
  try {
    const outcome = await withinTimeLimit(limit, signal, (limited) => work(row, limited));
    return { ...outcome, id: row.id, epoch: row.epoch };
  } catch (error) {
    onFailure(error, row);
    return null;
  }
};

/**
 * Works on the rows that are due until none is, the time is over, or the signal fires; every instance may do so at the same
 * time. A row that is slow holds up none that becomes due meanwhile. A death repeats what was not saved when its leases have run out.
 */
export const drainDue = async <Row extends object, Written extends object>(
  pool: Pool,
  rows: DueRows<Row, Written>,
  options: DrainOptions<Row, Written>,
): Promise<Drained> => {
  const { atOnce, forMs = DRAIN_MS, clock = () => performance.now(), signal } = options;
  const endsAt = clock() + forMs;
  const drained = { claimed: 0, saved: 0 };
  let leasedUntil = 0;
  let isFull = false;
  const turns = createTurns<Due<Row>, SavedOutcome<Written>>({
    atOnce,
    turn: async (outcomes, most) => {
      drained.saved += (await rows.save(pool, outcomes)).length;
      const claimed = most > 0 ? await rows.claim(pool, most) : [];
      drained.claimed += claimed.length;
      isFull = most > 0 && claimed.length === most;
      if (claimed.length > 0) leasedUntil = performance.now() + rows.leaseMs;
      return claimed;
    },
    work: (row) => outcomeOf(row, rows, options),
  });
  for (;;) {
    try {
      const claimed = await turns.take(!signal.aborted && clock() < endsAt);
      if (claimed === 0 && turns.isIdle()) return drained;
    } catch (error) {
      // What is in hand is saved as soon as that is possible, unless others have it by then.
      if (turns.isIdle() || performance.now() > leasedUntil) throw error;
      await delay(TURN_AGAIN_MS);
      continue;
    }
    // Half of the places, so that each turn is for many rows.
    const room = isFull ? turns.places.whenFree(Math.ceil(atOnce / 2)) : turns.places.whenIdle();
    await endsWithin(room, TURN_AGAIN_MS);
  }
};

import type { Pool } from 'pg';

/**
 * A table of rows that are due again and again. It has `id uuid`, `due_at timestamptz NOT NULL`, `lease_until timestamptz`,
 * `lease_epoch bigint NOT NULL DEFAULT 0`, and an index on `(greatest(due_at, lease_until))`. All names here are the code's own.
 */
type DueTable = {
  readonly table: string;
  /** What a claim reads beside the id. */
  readonly reads: readonly string[];
  /** What an outcome writes: columns and their types. */
  readonly writes: Readonly<Record<string, string>>;
  /** The column that says when an outcome was last saved. */
  readonly stamps?: string;
  /** After so long a row that was claimed is due for others again. */
  readonly leaseMs: number;
  /** The next time is later by up to this share, so that rows that were due together do not stay together. */
  readonly jitter: number;
  /** A condition of the database, not of a row: while it does not hold no row is due. */
  readonly while?: string;
};

/** `epoch` is the fencing token of this claim. */
export type Due<Row> = Row & { readonly id: string; readonly epoch: string };

export type DueOutcome<Written> = {
  readonly nextInMs: number;
  readonly written: Written;
};

export type SavedOutcome<Written> = DueOutcome<Written> & { readonly id: string; readonly epoch: string };

/** Claims and outcomes of one table, by the database's clock. */
export type DueRows<Row, Written> = Pick<DueTable, 'leaseMs'> & {
  /** A query of when the first row is due that nobody holds: for `kit.onDue`. */
  readonly firstDue: string;
  /** Takes the rows that have been due for longest and that nobody holds. */
  claim(pool: Pool, most: number): Promise<Due<Row>[]>;
  /** Resolves to the ids of those that were saved: not of rows that others hold by now. */
  save(pool: Pool, outcomes: readonly SavedOutcome<Written>[]): Promise<string[]>;
};

const FREE_FROM = 'greatest(due_at, lease_until)';

const claimSql = ({ table, reads, while: holds = 'true' }: DueTable): string => `
  WITH due AS (
    SELECT id FROM ${table} WHERE ${FREE_FROM} <= now() AND ${holds}
    ORDER BY ${FREE_FROM} LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  UPDATE ${table} AS row SET
    lease_until = clock_timestamp() + $2::float8 * interval '1 millisecond', lease_epoch = lease_epoch + 1
  FROM due WHERE row.id = due.id
  RETURNING ${['id', ...reads].map((column) => `row.${column}`).join(', ')}, lease_epoch AS epoch`;

const saveSql = ({ table, writes, stamps, jitter }: DueTable): string => `
  UPDATE ${table} AS row SET
    ${Object.keys(writes)
      .map((column) => `${column} = given.${column}, `)
      .join('')}${stamps ? `${stamps} = clock_timestamp(), ` : ''}lease_until = NULL,
    due_at = clock_timestamp() + given.next_in_ms * (1 + random() * ${jitter}) * interval '1 millisecond'
  FROM jsonb_to_recordset($1::jsonb) AS given (id uuid, epoch bigint, next_in_ms float8${Object.entries(
    writes,
  )
    .map(([column, type]) => `, ${column} ${type}`)
    .join('')})
  WHERE row.id = given.id AND row.lease_epoch = given.epoch
  RETURNING row.id`;

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
      const given = outcomes.map(({ id, epoch, nextInMs, written }) => ({
        ...written,
        id,
        epoch,
        next_in_ms: nextInMs,
      }));
      const { rows } = await pool.query<{ id: string }>({ ...save, values: [JSON.stringify(given)] });
      return rows.map(({ id }) => id);
    },
  };
};

import { withClient } from '@tds/migrations';
import type pg from 'pg';

type Column = {
  readonly table: string;
  readonly name: string;
  readonly value: string;
  readonly optional: boolean;
};

/** A value for each column: of its type, and the first that a constraint of the column names. Identities make their own. */
const COLUMNS = `
  SELECT c.oid::regclass::text AS table, quote_ident(a.attname) AS name, NOT a.attnotnull OR a.atthasdef AS optional, CASE
      WHEN t.typtype = 'e' THEN quote_literal((SELECT enumlabel FROM pg_enum WHERE enumtypid = t.oid ORDER BY enumsortorder LIMIT 1))
      WHEN t.typcategory IN ('A', 'R') THEN '''{}'''
      WHEN t.typname = 'uuid' THEN 'uuidv7()'
      WHEN t.typname = 'bpchar' THEN format('repeat(''x'', %s)', a.atttypmod - 4)
      WHEN t.typcategory = 'D' THEN 'now()'
      WHEN t.typname IN ('json', 'jsonb') THEN '''{}'''
      WHEN t.typcategory = 'S' THEN quote_literal(coalesce((SELECT substring(pg_get_constraintdef(k.oid) FROM '''([^'']*)''')
        FROM pg_constraint AS k WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum] LIMIT 1), '1'))
      WHEN t.typcategory IN ('N', 'B') THEN '''1'''
      WHEN t.typname = 'bytea' THEN 'sha256(''x'')'
      WHEN t.typcategory = 'V' THEN 'B''1'''
      WHEN t.typname = 'tsvector' THEN ''''''
      ELSE 'NULL' END || '::' || format_type(t.oid, NULL) AS value
  FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid JOIN pg_type AS t ON t.oid = a.atttypid
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> '_prisma_migrations'
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attidentity = '' AND a.attgenerated = ''
    AND c.relnamespace::regnamespace::text IN ('public', 'messaging')
  ORDER BY 1, a.attnum`;

/** For constraints of several columns. */
const values: Readonly<Record<string, string>> = {
  'deliveries.attempt_log': `'[]'`,
  'deliveries.ended_at': 'NULL',
  'monitors.cancelled_at': 'NULL',
  'monitors.fetching': '2',
  'monitors.found_before': 'NULL',
  'purchases.bought_by': `'stranger'`,
  'purchases.currency': `'usd'`,
  'receivers.deleted_at': 'NULL',
  'receivers.disabled_at': 'NULL',
  'receivers.disabled_reason': 'NULL',
  'reservations.ref_month': `'-infinity'`,
  'reservations.resolved_at': 'NULL',
};

/** What is inserted into a table: its columns, in the order of their names, and their values. */
export type SampleRows = ReadonlyMap<string, readonly Column[]>;

const tryInsert = async (client: pg.Client, table: string, columns: readonly Column[]): Promise<boolean> => {
  const expressions = columns.map(({ name, value }) => values[`${table}.${name}`] ?? value);
  const text = `INSERT INTO ${table} (${columns.map(({ name }) => name)}) SELECT ${expressions}`;
  return await client.query(text).then(
    () => true,
    (error: { code?: string }) => error.code === '23505',
  );
};

/**
 * Columns of all tables, each with a value, so that a table may get a row without regard to foreign keys and triggers; of the tables that take no such
 * row, those that must have a value.
 */
export const describeRows = (adminUrl: string): Promise<SampleRows> =>
  withClient(adminUrl, async (client) =>
    Map.groupBy((await client.query<Column>(COLUMNS)).rows, ({ table }) => table),
  );

/** Inserts a row into each table as an administrator, without foreign keys and triggers. Returns the tables that have none then. */
export const insertRows = (adminUrl: string, tables: SampleRows): Promise<string[]> =>
  withClient(adminUrl, async (client) => {
    await client.query('SET session_replication_role = replica');
    const empty: string[] = [];
    for (const [table, columns] of tables) {
      const isFilled =
        (await tryInsert(client, table, columns)) ||
        (await tryInsert(
          client,
          table,
          columns.filter(({ optional }) => !optional),
        ));
      if (!isFilled) empty.push(table);
    }
    return empty;
  });

/** The rows of each table, in the columns that it has here. */
export const readRows = (adminUrl: string, tables: SampleRows): Promise<Record<string, string[]>> =>
  withClient(adminUrl, async (client) => {
    const read: Record<string, string[]> = {};
    for (const [table, columns] of tables) {
      const text = `SELECT ROW(${columns.map(({ name }) => name)})::text AS row FROM ${table} ORDER BY 1`;
      read[table] = (await client.query<{ row: string }>(text)).rows.map(({ row }) => row);
    }
    return read;
  });

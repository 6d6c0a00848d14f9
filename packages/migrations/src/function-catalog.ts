import { ColumnTypeEnum, type SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import type pg from 'pg';

/** A function, procedure or aggregate that the database has. */
export interface CatalogFunction {
  /** With its schema: `messaging.emit`. Several that differ in their arguments have the same name. */
  readonly name: string;
  /** Name and types of the arguments, as `DROP ROUTINE` takes it. */
  readonly signature: string;
  /** The row of the catalog, as it was last written. */
  readonly written: string;
  readonly comment: string | null;
  /** The text of its body; empty if it has none. */
  readonly body: string;
  /** The validator of the language; null for an aggregate. */
  readonly validator: string | null;
  readonly id: string;
}

/** Those that the migrating role made: what an extension or the administrator has brought stays out of it. */
const OURS = `
  SELECT n.nspname || '.' || p.proname AS name, p.oid::text AS id, p.oid::regprocedure::text AS signature,
    p.oid || ' ' || p.xmin AS written, obj_description(p.oid, 'pg_proc') AS comment,
    CASE WHEN p.prokind = 'a' THEN '' ELSE p.prosrc END AS body,
    CASE WHEN p.prokind <> 'a' THEN nullif(l.lanvalidator, 0)::regproc::text END AS validator
  FROM pg_proc AS p
  JOIN pg_namespace AS n ON n.oid = p.pronamespace
  JOIN pg_language AS l ON l.oid = p.prolang
  WHERE pg_get_userbyid(p.proowner) = current_user AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND NOT EXISTS (
      SELECT FROM pg_depend AS d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
    )
  ORDER BY 1, 3`;

export const readFunctionCatalog = async (client: pg.Client): Promise<CatalogFunction[]> =>
  (await client.query<CatalogFunction>(OURS)).rows;

interface QueryResult {
  readonly fields: { dataTypeID: number }[];
  readonly rows: unknown;
}

interface Queryable {
  query(...parameters: unknown[]): Promise<QueryResult>;
}

const charType = 18; // the type "char", which only Postgres' own catalogue has
const textType = 25;

/**
 * The engine reads the catalogue to compare schemas, and the adapter refuses the one type of it that it does not know.
 * Such columns pass it as text, and are handed to the engine as the single characters that it expects.
 */
export const readCatalogChars = <Adapter extends SqlDriverAdapter>(
  adapter: Adapter,
  pool: unknown,
): Adapter => {
  const charColumns = new WeakMap<object, number[]>();
  const queryable = pool as Queryable;
  const query = queryable.query.bind(queryable);
  const queryRaw = adapter.queryRaw.bind(adapter);

  queryable.query = async (...parameters) => {
    const result = await query(...parameters);
    const chars = (result.fields ?? []).flatMap(({ dataTypeID }, index) =>
      dataTypeID === charType ? [index] : [],
    );
    for (const index of chars) Object.assign(result.fields[index] ?? {}, { dataTypeID: textType });
    if (chars.length > 0) charColumns.set(result.rows as object, chars);
    return result;
  };
  adapter.queryRaw = async (asked) => {
    const result = await queryRaw(asked);
    for (const index of charColumns.get(result.rows) ?? [])
      result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  return adapter;
};

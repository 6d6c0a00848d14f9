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
const FIND_FUNCTIONS = `
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
  (await client.query<CatalogFunction>(FIND_FUNCTIONS)).rows;

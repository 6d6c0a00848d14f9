export const answering = (name: string, answer: number | string) =>
  `CREATE OR REPLACE FUNCTION ${name}() RETURNS int LANGUAGE sql AS $$ SELECT ${answer} $$;\n`;
export const refusing = (word: string) =>
  `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE '${word}'; END $$;\n`;

/** Everything that Postgres knows about the functions. */
export const CATALOG = `
  SELECT p.oid::regprocedure::text AS signature, p.proacl::text AS privileges, obj_description(p.oid, 'pg_proc') AS comment,
    CASE WHEN p.prokind <> 'a' THEN pg_get_functiondef(p.oid) END AS definition
  FROM pg_proc AS p WHERE p.pronamespace = 'public'::regnamespace ORDER BY 1`;

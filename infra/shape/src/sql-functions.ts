import { prismaDirsOf, readFunctions, urlFor, withClient } from '@tds/servers';

const DATABASES = 'SELECT datname AS name FROM pg_database WHERE NOT datistemplate';
const CALLED = 'SELECT DISTINCT funcname AS name FROM pg_stat_user_functions WHERE calls > 0';

const namesIn = (url: string, sql: string): Promise<string[]> =>
  withClient(url, async (client) => (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name));

/** Makes Postgres count function calls. */
export const countFunctions = (postgres: string): Promise<void> =>
  withClient(postgres, async (client) => {
    await client.query(`ALTER SYSTEM SET track_functions = 'all'`);
    await client.query('SELECT pg_reload_conf()');
  });

/** Resets the counts. */
export const forgetCalls = async (postgres: string): Promise<void> => {
  for (const database of await namesIn(postgres, DATABASES))
    await withClient(urlFor(postgres, database), (client) => client.query('SELECT pg_stat_reset()'));
};

/** The SQL functions of a service, each with its file relative to the root of the checkout. */
export type SqlFunction = { readonly name: string; readonly file: string; readonly sql: string };

/** The functions called since the last reset. Postgres does not count a function that it inlined. */
export const calledSqlFunctions = async (postgres: string): Promise<SqlFunction[]> => {
  const found: SqlFunction[] = [];
  for (const database of await namesIn(postgres, DATABASES)) {
    const called = new Set(await namesIn(urlFor(postgres, database), CALLED));
    const functions = readFunctions(prismaDirsOf(database.replaceAll('_', '-')));
    found.push(...withInlined(functions, called));
  }
  return found;
};

const bareName = (name: string): string => name.split('.').at(-1) ?? name;

/** The named functions and those that they name, at any depth, because Postgres inlines small ones. */
export const withInlined = (
  functions: readonly SqlFunction[],
  called: ReadonlySet<string>,
): SqlFunction[] => {
  const found = new Set(functions.filter(({ name }) => called.has(bareName(name))));
  for (const { sql } of found)
    for (const other of functions)
      if (new RegExp(`\\b${bareName(other.name)}\\(`).test(sql)) found.add(other);
  return [...found];
};

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { urlFor, withClient } from '@tds/servers';

const DATABASES = 'SELECT datname AS name FROM pg_database WHERE NOT datistemplate';
const CALLED = 'SELECT DISTINCT funcname AS name FROM pg_stat_user_functions WHERE calls > 0';

const namesIn = (url: string, sql: string): Promise<string[]> =>
  withClient(url, async (client) => (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name));

/** From now on Postgres counts which functions run. */
export const countFunctions = (postgres: string): Promise<void> =>
  withClient(postgres, async (client) => {
    await client.query(`ALTER SYSTEM SET track_functions = 'all'`);
    await client.query('SELECT pg_reload_conf()');
  });

/** Those that have run so far are counted no more. */
export const forgetCalls = async (postgres: string): Promise<void> => {
  for (const database of await namesIn(postgres, DATABASES))
    await withClient(urlFor(postgres, database), (client) => client.query('SELECT pg_stat_reset()'));
};

/** Those that have run since then, as files of the checkout; what a statement has inlined is not among them. */
export const calledFunctions = async (root: string, postgres: string): Promise<string[]> => {
  const found: string[] = [];
  for (const database of await namesIn(postgres, DATABASES)) {
    const folder = `services/${database.replaceAll('_', '-')}/prisma/functions`;
    for (const name of await namesIn(urlFor(postgres, database), CALLED)) {
      const file = `${folder}/${name}.sql`;
      if (existsSync(path.join(root, file))) found.push(file);
    }
  }
  return found;
};

const functionsBeside = (root: string, file: string): string[] =>
  readdirSync(path.join(root, path.dirname(file))).map((name) => path.join(path.dirname(file), name));

/** With those that they name, however deep: Postgres puts small ones into the text of others, and does not count them then. */
export const withInlined = (root: string, called: readonly string[]): string[] => {
  const all = new Set(called);
  for (const file of all) {
    const text = readFileSync(path.join(root, file), 'utf8');
    for (const other of functionsBeside(root, file))
      if (new RegExp(`\\b${path.basename(other, '.sql')}\\(`).test(text)) all.add(other);
  }
  return [...all];
};

import type { Servers } from '@tds/local';
import { withClient } from '@tds/servers';
import { type Bound, eventually } from '@tds/servers/testing';

export type Client = Parameters<Parameters<typeof withClient>[1]>[0];

/** The address of a service's database, as its owner. */
export const ownerUrl = ({ databases }: Pick<Servers, 'databases'>, service: string): string => {
  const urls = databases[service];
  if (!urls) throw new Error(`there is no database of ${service}`);
  return urls.ownerUrl;
};

/** Queries a service's database as its owner. */
export const queryAs = <Result>(
  servers: Servers,
  service: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Result[]> =>
  withClient(
    ownerUrl(servers, service),
    async (client) => (await client.query(sql, [...values])).rows as Result[],
  );

/** Repeats `check` until it returns null. Throws the last answer, which says what is missing, after `withinMs`. */
export const until = (check: () => Promise<string | null>, bound: Required<Bound>): Promise<void> =>
  eventually(async () => {
    const missing = await check();
    if (missing !== null) throw new Error(missing);
  }, bound);

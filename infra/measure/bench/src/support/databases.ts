import { setTimeout as delay } from 'node:timers/promises';
import type { Servers } from '@tds/local';
import { withClient } from '@tds/servers';

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

type PollOptions = { readonly everyMs: number; readonly withinMs: number };

/** Repeats `check` until it returns null. Throws the last answer, which says what is missing, after `withinMs`. */
export const until = async (
  check: () => Promise<string | null>,
  { everyMs, withinMs }: PollOptions,
): Promise<void> => {
  for (const endsAt = performance.now() + withinMs; ; await delay(everyMs)) {
    const missing = await check();
    if (missing === null) return;
    if (performance.now() > endsAt) throw new Error(missing);
  }
};

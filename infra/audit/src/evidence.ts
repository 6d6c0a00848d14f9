import { nameServiceDatabase, urlFor, withClient } from '@tds/servers';

export type Connection = { query(sql: string, values?: unknown[]): Promise<{ rows: never[] }> };

/** Read access to the databases of a system, as its administrator. */
export type Evidence = {
  /** True where all work has ended: then nothing may be open any more. */
  readonly atRest: boolean;
  rows<Row>(service: string, sql: string, values?: unknown[]): Promise<Row[]>;
  /** One connection for several statements. */
  connected<T>(service: string, use: (connection: Connection) => Promise<T>): Promise<T>;
};

/** Where the databases of a whole server are; `postgres` is the administrator's address to any of them. */
export const databasesOn =
  (postgres: string) =>
  (service: string): string =>
    urlFor(postgres, nameServiceDatabase(service, () => '').database);

/** `addressOf` gives the administrator's address to a service's database. */
export const openEvidence = (
  addressOf: (service: string) => string,
  { atRest }: Pick<Evidence, 'atRest'>,
): Evidence => {
  const connected: Evidence['connected'] = (service, use) =>
    withClient(addressOf(service), (client) => {
      // A connection that is cut between two queries fails the next one, which says so.
      client.on('error', () => {});
      return use(client as Connection);
    });
  return {
    atRest,
    connected,
    rows: (service, sql, values) =>
      connected(service, async (client) => (await client.query(sql, values)).rows),
  };
};

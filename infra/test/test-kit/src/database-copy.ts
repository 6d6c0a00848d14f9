import { type DatabaseUrls, urlFor, withClient } from '@tds/servers';
import type pg from 'pg';

/** A backup: the database as it was at one moment, which can take its place again. */
export interface DatabaseCopy {
  /** The database is as it was, under the same address. Open connections are cut off and may come back. */
  putBack(): Promise<void>;
  drop(): Promise<void>;
}

const nameIn = (url: string) => new URL(url).pathname.slice(1);
const roleIn = (url: string) => new URL(url).username;

const CUT_OFF = 'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1';

/** Copies are made while no session is connected to the original. */
const alone = async (admin: pg.Client, database: string, work: () => Promise<void>): Promise<void> => {
  await admin.query(`ALTER DATABASE "${database}" ALLOW_CONNECTIONS false`);
  try {
    // On a busy machine they take their time to go.
    while ((await admin.query(CUT_OFF, [database])).rows.length > 0);
    await work();
  } finally {
    await admin.query(`ALTER DATABASE "${database}" ALLOW_CONNECTIONS true`);
  }
};

type Addresses = DatabaseUrls & { readonly adminUrl: string };

/** Copies a database as it is now; services that use it lose their connections for a moment. */
export const copyDatabase = async ({ url, ownerUrl, adminUrl }: Addresses): Promise<DatabaseCopy> => {
  const server = urlFor(adminUrl, 'postgres');
  const database = nameIn(adminUrl);
  const copy = `${database}_copy`;
  const [app, owner] = [roleIn(url), roleIn(ownerUrl)];
  const create = async (admin: pg.Client, name: string, template: string): Promise<void> => {
    await admin.query(`CREATE DATABASE "${name}" TEMPLATE "${template}" OWNER "${owner}"`);
    // A crash before the next checkpoint would set the copy's sequences back behind their tables.
    await admin.query('CHECKPOINT');
  };
  await withClient(server, (admin) => alone(admin, database, () => create(admin, copy, database)));
  return {
    putBack: () =>
      withClient(server, async (admin) => {
        await admin.query(`DROP DATABASE "${database}" WITH (FORCE)`);
        await create(admin, database, copy);
        await admin.query(`REVOKE ALL ON DATABASE "${database}" FROM PUBLIC`);
        await admin.query(`GRANT CONNECT ON DATABASE "${database}" TO "${app}", "${owner}"`);
      }),
    drop: () =>
      withClient(server, async (admin) => void (await admin.query(`DROP DATABASE "${copy}" WITH (FORCE)`))),
  };
};

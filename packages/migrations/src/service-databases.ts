import { IDLE_TRANSACTION_MS, LOCK_WAIT_MS, STATEMENT_MS } from '@tds/contracts';
import pg from 'pg';

export interface Login {
  readonly name: string;
  readonly password: string;
}

/** A database, and the role that owns and migrates it. */
export interface OwnedDatabase {
  readonly database: string;
  readonly owner: Login;
}

/** With the role that the service runs as. */
export interface ServiceDatabase extends OwnedDatabase {
  readonly app: Login;
}

export interface DatabaseUrls {
  /** Of the role that the service runs as: reads and writes rows. */
  readonly url: string;
  /** Of the role that migrates. */
  readonly ownerUrl: string;
}

const identifier = pg.escapeIdentifier;

/** `credits-ledger` becomes `credits_ledger`. */
export const databaseOf = (service: string): string => service.replaceAll('-', '_');

/** The database with the roles `credits_ledger_owner` and `credits_ledger_app`. */
export const nameServiceDatabase = (service: string, passwordOf: (role: string) => string): ServiceDatabase => {
  const database = databaseOf(service);
  const login = (role: string): Login => ({ name: role, password: passwordOf(role) });
  return { database, owner: login(`${database}_owner`), app: login(`${database}_app`) };
};

/** The same server and options as the administrator's address, for another database and role. */
export const urlFor = (adminUrl: string, database: string, login?: Login): string => {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  if (login) Object.assign(url, { username: login.name, password: login.password });
  return url.href;
};

export const urlsOf = (adminUrl: string, { database, owner, app }: ServiceDatabase): DatabaseUrls => ({
  url: urlFor(adminUrl, database, app),
  ownerUrl: urlFor(adminUrl, database, owner),
});

type Server = string | pg.ClientConfig;

export async function withClient<T>(server: Server, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(server);
  // A connection that is lost between two statements fails the next one, not the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Undoes the settings of a role, in single databases and everywhere; null if it has none. */
const RESETS = `
  SELECT string_agg(format('ALTER ROLE %s %s RESET ALL;', setrole::regrole, 'IN DATABASE ' || quote_ident(datname)), '') AS sql
  FROM pg_db_role_setting LEFT JOIN pg_database ON pg_database.oid = setdatabase WHERE setrole = $1::regrole`;

type RoleSettings = Readonly<Record<string, number | string>>;

/** Prisma's adapter reads and writes times without their offset: whatever the server's zone is, these sessions are UTC. */
const UTC: RoleSettings = { timezone: "'UTC'" };

/** No statement, lock or forgotten transaction of a service holds anything for long, whichever way its connections take. */
const SESSION_SETTINGS: RoleSettings = {
  ...UTC,
  statement_timeout: STATEMENT_MS,
  lock_timeout: LOCK_WAIT_MS,
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
};

/** Replaces all settings of a role at once. A role may change its own; such changes do not outlast the next start. */
const setSettings = async (admin: pg.Client, role: string, settings: RoleSettings): Promise<void> => {
  const { rows } = await admin.query<{ sql: string | null }>(RESETS, [role]);
  const sets = Object.entries(settings).map(([name, value]) => `ALTER ROLE ${role} SET ${name} = ${value};`);
  await admin.query([rows[0]?.sql ?? '', ...sets].join(''));
};

/** Creates the role, or gives the one that is there this password. It has these settings and no others. */
export const ensureRole = async (
  admin: pg.Client,
  { name, password }: Login,
  settings: RoleSettings = {},
): Promise<void> => {
  const role = identifier(name);
  const { rowCount } = await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
  await admin.query(
    `${rowCount ? 'ALTER' : 'CREATE'} ROLE ${role} LOGIN PASSWORD ${pg.escapeLiteral(password)}`,
  );
  await setSettings(admin, role, settings);
};

/** Lets only these roles in. A copy of a database does not inherit this. */
export const closeDatabase = async (
  admin: pg.Client | pg.Pool,
  database: string,
  logins: readonly Login[],
): Promise<void> => {
  await admin.query(`REVOKE ALL ON DATABASE ${identifier(database)} FROM PUBLIC`);
  const roles = logins.map(({ name }) => identifier(name));
  await admin.query(`GRANT CONNECT ON DATABASE ${identifier(database)} TO ${roles.join(', ')}`);
};

/** The databases that every cluster begins with let every role in; services do not use them. */
const closeOwnDatabases = (adminUrl: string): Promise<unknown> =>
  withClient(adminUrl, (admin) => admin.query('REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC'));

/** Large objects lie outside of all tables and their rights, and any role may create them: here no role may. */
const closeLargeObjects = async (admin: pg.Client): Promise<void> => {
  const { rows } = await admin.query<{ signatures: string }>(`
    SELECT string_agg(oid::regprocedure::text, ', ') AS signatures FROM pg_proc
    WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^(lo_|loread$|lowrite$)'`);
  for (const { signatures } of rows) await admin.query(`REVOKE EXECUTE ON FUNCTION ${signatures} FROM PUBLIC`);
};

/** No other role creates anything in it, or calls what the owner creates. */
const ownersPrivileges = (owner: string): string[] => [
  'REVOKE ALL ON SCHEMA public FROM PUBLIC',
  `ALTER SCHEMA public OWNER TO ${owner}`,
  `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC`,
];

/** The running service may use but not alter what the owner creates in any schema. */
const defaultPrivileges = (owner: string, app: string): string[] => {
  const alter = `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner}`;
  return [
    `GRANT USAGE ON SCHEMA public TO ${app}`,
    `${alter} GRANT USAGE ON SCHEMAS TO ${app}`,
    `${alter} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${app}`,
    `${alter} GRANT USAGE ON SEQUENCES TO ${app}`,
    `${alter} GRANT EXECUTE ON FUNCTIONS TO ${app}`,
  ];
};

/** Creates an empty database and its owner, who alone may enter. Repeating it changes nothing but the password. */
export const ensureOwnedDatabase = async (
  adminUrl: string,
  { database, owner }: OwnedDatabase,
): Promise<{ ownerUrl: string }> => {
  await withClient(adminUrl, async (admin) => {
    await ensureRole(admin, owner, UTC);
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (!rowCount) await admin.query(`CREATE DATABASE ${identifier(database)} OWNER ${identifier(owner.name)}`);
    await closeDatabase(admin, database, [owner]);
  });
  await withClient(urlFor(adminUrl, database), async (admin) => {
    for (const statement of ownersPrivileges(identifier(owner.name))) await admin.query(statement);
    await closeLargeObjects(admin);
  });
  return { ownerUrl: urlFor(adminUrl, database, owner) };
};

/** Creates a service's roles and its empty database. Repeating it changes nothing but the passwords. */
export const ensureServiceDatabase = async (
  adminUrl: string,
  target: ServiceDatabase,
): Promise<DatabaseUrls> => {
  const { database, owner, app } = target;
  await ensureOwnedDatabase(adminUrl, target);
  await withClient(urlFor(adminUrl, database), async (admin) => {
    await ensureRole(admin, app, SESSION_SETTINGS);
    await closeDatabase(admin, database, [owner, app]);
    for (const statement of defaultPrivileges(identifier(owner.name), identifier(app.name)))
      await admin.query(statement);
  });
  return urlsOf(adminUrl, target);
};

/** One database with two roles for each of the services. */
export const createServiceDatabases = async (
  adminUrl: string,
  services: readonly string[],
  passwordOf: (role: string) => string,
): Promise<Record<string, DatabaseUrls>> => {
  const urls: Record<string, DatabaseUrls> = {};
  await closeOwnDatabases(adminUrl);
  for (const service of services) {
    urls[service] = await ensureServiceDatabase(adminUrl, nameServiceDatabase(service, passwordOf));
  }
  return urls;
};

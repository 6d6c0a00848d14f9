import type { Surface } from '@tds/contracts';
import pg from 'pg';
import type { ObjectRights } from './object-store.ts';

/** The rights that a service's surface needs on the object store, by prefixes of keys. */
export const objectPermissionsOf = ({ name, contract, readsObjects }: Surface): ObjectRights => ({
  writes: Object.values(contract.objects).map(({ prefix }) => prefix),
  reads: readsObjects.filter(({ owner }) => owner !== name).map(({ prefix }) => prefix),
});

/** A service without objects needs no address of the store. */
export const usesObjects = (surface: Surface): boolean => {
  const { writes, reads } = objectPermissionsOf(surface);
  return writes.length + reads.length > 0;
};

type User = { readonly role: string; readonly password: string; readonly rights: ObjectRights };

const OWNER = 'objects_owner';
const tables = ['objects', 'object_chunks'] as const;
const identifier = pg.escapeIdentifier;
const literal = pg.escapeLiteral;

/** Roles are known to a whole server, so the name says the database. */
const roleOf = (service: string): string => `objects_${service.replaceAll('-', '_')}`;

const roleSql = ({ role, password }: User): string => `
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = ${literal(role)}) THEN
    CREATE ROLE ${identifier(role)};
  END IF;
END $$;
ALTER ROLE ${identifier(role)} LOGIN PASSWORD ${literal(password)};
-- Resets the role's own settings, everywhere or in one database.
DO $$ DECLARE place text; BEGIN
  FOR place IN SELECT coalesce('IN DATABASE ' || quote_ident(datname), '') FROM pg_db_role_setting
    LEFT JOIN pg_database ON pg_database.oid = setdatabase WHERE setrole = ${literal(identifier(role))}::regrole
  LOOP
    EXECUTE format('ALTER ROLE %I %s RESET ALL', ${literal(role)}, place);
  END LOOP;
END $$;
`;

/** Removes earlier rights: all policies, and the grants of roles that are gone. */
const withdrawal = (roles: readonly string[]): string => `
DO $$ DECLARE policy record; stranger text; withdrawal text; BEGIN
  FOR policy IN SELECT policyname, tablename FROM pg_policies
    WHERE schemaname = 'public' AND tablename IN (${tables.map(literal).join(', ')})
  LOOP
    EXECUTE format('DROP POLICY %I ON public.%I', policy.policyname, policy.tablename);
  END LOOP;
  FOR stranger IN SELECT rolname FROM pg_roles
    WHERE starts_with(rolname, 'objects_') AND has_database_privilege(oid, current_database(), 'CONNECT')
      AND NOT rolname = ANY (ARRAY[${[OWNER, ...roles].map(literal).join(', ')}])
  LOOP
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM %I', current_database(), stranger);
    FOREACH withdrawal IN ARRAY ARRAY[
      'REVOKE ALL ON SCHEMA public FROM %I',
      'REVOKE ALL ON ALL TABLES IN SCHEMA public FROM %I',
      'ALTER DEFAULT PRIVILEGES FOR ROLE ${OWNER} REVOKE ALL ON SCHEMAS FROM %I',
      'ALTER DEFAULT PRIVILEGES FOR ROLE ${OWNER} REVOKE ALL ON TABLES FROM %I',
      'ALTER DEFAULT PRIVILEGES FOR ROLE ${OWNER} REVOKE ALL ON SEQUENCES FROM %I',
      'ALTER DEFAULT PRIVILEGES FOR ROLE ${OWNER} REVOKE ALL ON FUNCTIONS FROM %I'
    ] LOOP
      EXECUTE format(withdrawal, stranger);
    END LOOP;
  END LOOP;
END $$;
`;

/** Planned faster than `starts_with` or LIKE, for which Postgres counts in its statistics how many keys they may hold. */
const beginsWith = (prefixes: readonly string[]): string =>
  prefixes.map((prefix) => `left(key, ${prefix.length}) = ${literal(prefix)}`).join(' OR ');

const policies = (role: string, table: string, { writes, reads }: ObjectRights): string[] => {
  const policy = (verb: string, commands: string, prefixes: readonly string[]): string[] =>
    prefixes.length === 0
      ? []
      : [
          `CREATE POLICY ${identifier(`${role} ${verb}`)} ON public.${table} FOR ${commands} TO ${identifier(role)} USING (${beginsWith(prefixes)})`,
        ];
  return [...policy('keeps', 'ALL', writes), ...policy('reads', 'SELECT', reads)];
};

/** Chunks go with their object, which only a user who may delete the object's key deletes. */
const buildGrants = ({ role, rights }: User): string[] => {
  const name = identifier(role);
  return [
    `DO $$ BEGIN EXECUTE format('GRANT CONNECT ON DATABASE %I TO ${name}', current_database()); END $$`,
    `GRANT USAGE ON SCHEMA public TO ${name}`,
    `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${name}`,
    `GRANT SELECT ON public.objects, public.object_chunks TO ${name}`,
    ...(rights.writes.length === 0
      ? []
      : [
          `GRANT INSERT, DELETE, UPDATE (bytes, sha256) ON public.objects TO ${name}`,
          `GRANT INSERT ON public.object_chunks TO ${name}`,
        ]),
    ...tables.flatMap((table) => policies(role, table, rights)),
  ];
};

/**
 * One role for each service that keeps or reads objects, which sees and changes the rows of its own keys only; none for others.
 * The owner of the tables, who migrates them, is none of them.
 */
export const objectUsers = (surfaces: readonly Surface[], secretOf: (name: string) => string) => {
  const users = new Map(
    surfaces.flatMap((surface) => {
      const rights = objectPermissionsOf(surface);
      if (rights.writes.length + rights.reads.length === 0) return [];
      const role = roleOf(surface.name);
      return [[surface.name as string, { role, password: secretOf(role), rights }] as const];
    }),
  );
  const allUsers = [...users.values()];
  const rights = allUsers.flatMap(buildGrants).map((statement) => `${statement};\n`);
  return {
    /** Makes a role for each service that has objects, or gives it its password. For an administrator, in any database. */
    rolesSql: allUsers.map(roleSql).join(''),
    /** Gives each of them its rights in the database that it is run in, and withdraws all others, in one transaction. */
    // It locks both tables. With the timeout neither this nor an upload waits for long.
    rightsSql: `BEGIN;\nSET LOCAL lock_timeout = '5s';${withdrawal(allUsers.map(({ role }) => role))}${rights.join('')}COMMIT;\n`,
    /** The database's address for a service; undefined for one that has no objects. */
    urlOf: (service: string, url: string): string | undefined => {
      const user = users.get(service);
      if (user === undefined) return undefined;
      const own = new URL(url);
      own.username = user.role;
      own.password = user.password;
      return own.href;
    },
  };
};

import type { Surface } from '@tds/contracts';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import pg from 'pg';
import { objectUsers } from '../rights.ts';

/** `url` is that of a role without rights. */
export type TestObjects = TestDatabase & {
  /** For a service; undefined for one that has no objects. */
  urlOf(service: string): string | undefined;
  /** Gives these services, and no others, the rights of their surfaces, as an operator does before a new release. */
  grant(surfaces: readonly Surface[]): Promise<void>;
};

/** Any number, the same for all test files: they share a server, and with it the roles. */
const LOCK = 7_221_603;

const run = async (url: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

const onServer = (url: string): string => {
  const server = new URL(url);
  server.pathname = '/postgres';
  return server.href;
};

/** A database for objects of one test file's own, with the rights of these services. */
export const createTestObjects = async (surfaces: readonly Surface[]): Promise<TestObjects> => {
  const database = await createTestDatabase('objects');
  const usersOf = (granted: readonly Surface[]) => objectUsers(granted, () => 'test');
  const grant = async (granted: readonly Surface[]): Promise<void> => {
    const { rolesSql, rightsSql } = usersOf(granted);
    await run(onServer(database.adminUrl), `SELECT pg_advisory_xact_lock(${LOCK});${rolesSql}`);
    await run(database.adminUrl, rightsSql);
  };
  await grant(surfaces);
  const { urlOf } = usersOf(surfaces);
  return { ...database, grant, urlOf: (service) => urlOf(service, database.adminUrl) };
};

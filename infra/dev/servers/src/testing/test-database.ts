import { randomUUID } from 'node:crypto';
import {
  closeDatabase,
  type DatabaseUrls,
  ensureServiceDatabase,
  kitPrismaDir,
  migrate,
  nameServiceDatabase,
  prismaDirsOf,
  releaseOf,
  type ServiceDatabase,
  urlFor,
  urlsOf,
  withClient,
} from '@tds/migrations';
import pg from 'pg';
import { holdsWithin } from '../processes.ts';
import { sharedAddress } from './shared-servers.ts';
import { tally } from './tally.ts';

export interface TestDatabase extends DatabaseUrls {
  /** Of the administrator, who may do everything. */
  readonly adminUrl: string;
  drop(): Promise<void>;
}

/** Longer than closing takes; what is open after that was left open. */
const CLOSING_MS = 1_000;

const lockNumber = 7_221_602; // any number, the same for all test files

const prismaDirsFor = (service: string): string[] =>
  service === 'messaging' ? [kitPrismaDir] : prismaDirsOf(service);

/** The template's name changes with the migrations and the functions. */
const templateOf = (service: string): ServiceDatabase => {
  const named = nameServiceDatabase(service, () => 'test');
  return { ...named, database: `template_${named.database}_${releaseOf(prismaDirsFor(service))}` };
};

let pool: pg.Pool | undefined;

/**
 * Kept by a test file, and for some seconds after it: opening a connection costs more than most of what is asked of it. The server may end
 * before it.
 */
const serverPool = (connectionString: string): pg.Pool => {
  pool ??= new pg.Pool({ connectionString, max: 2, idleTimeoutMillis: 5_000, allowExitOnIdle: true }).on(
    'error',
    () => {},
  );
  return pool;
};

/** Migrates a database that the others are copied from, once per run however many files ask at the same time. */
const ensureTemplate = async (adminUrl: string, service: string): Promise<void> => {
  const template = templateOf(service);
  const isThere = 'SELECT FROM pg_database WHERE datname = $1 AND datistemplate';
  const exists = async () => (await serverPool(adminUrl).query(isThere, [template.database])).rowCount;
  if (await exists()) return;
  await withClient(adminUrl, async (admin) => {
    // Holds the lock until it ends.
    await admin.query('SELECT pg_advisory_lock($1)', [lockNumber]);
    if (await exists()) return;
    const { ownerUrl } = await ensureServiceDatabase(adminUrl, template);
    await migrate({ databaseUrl: ownerUrl, prismaDirs: prismaDirsFor(service) });
    await admin.query(`ALTER DATABASE "${template.database}" IS_TEMPLATE true`);
  });
};

/**
 * A migrated database of the service's own for one test file, with the roles that the service has in production.
 * `createTestDatabase('messaging')` has the kit's tables only.
 */
export const createTestDatabase = async (service: string): Promise<TestDatabase> => {
  const adminUrl = sharedAddress('POSTGRES_URL');
  const template = templateOf(service);
  const database = `test_${service.replaceAll('-', '_')}_${randomUUID().slice(0, 8)}`;
  const copy = { ...template, database };
  tally('databases');
  await ensureTemplate(adminUrl, service);
  const server = serverPool(adminUrl);
  await server.query(
    `CREATE DATABASE "${database}" TEMPLATE "${template.database}" STRATEGY FILE_COPY OWNER "${template.owner.name}"`,
  );
  await closeDatabase(server, database, [copy.owner, copy.app]);
  return {
    ...urlsOf(adminUrl, copy),
    adminUrl: urlFor(adminUrl, database),
    drop: async () => {
      // A pool that has ended is still closing its connections: cutting them off would be an error of the test.
      await holdsWithin(CLOSING_MS, async () => {
        const { rowCount } = await server.query('SELECT FROM pg_stat_activity WHERE datname = $1', [database]);
        return rowCount === 0;
      });
      await server.query(`DROP DATABASE "${database}" WITH (FORCE)`);
    },
  };
};

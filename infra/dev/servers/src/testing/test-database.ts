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
import type pg from 'pg';
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

/**
 * Migrates a database that the others are copied from, once per run however many files ask at the same time: `admin` holds the lock
 * until it ends.
 */
const ensureTemplate = async (admin: pg.Client, adminUrl: string, service: string): Promise<void> => {
  const template = templateOf(service);
  const exists = async () =>
    (await admin.query('SELECT FROM pg_database WHERE datname = $1 AND datistemplate', [template.database]))
      .rowCount;
  if (await exists()) return;
  await admin.query('SELECT pg_advisory_lock($1)', [lockNumber]);
  if (await exists()) return;
  const { ownerUrl } = await ensureServiceDatabase(adminUrl, template);
  await migrate({ databaseUrl: ownerUrl, prismaDirs: prismaDirsFor(service) });
  await admin.query(`ALTER DATABASE "${template.database}" IS_TEMPLATE true`);
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
  await withClient(adminUrl, async (admin) => {
    await ensureTemplate(admin, adminUrl, service);
    await admin.query(
      `CREATE DATABASE "${database}" TEMPLATE "${template.database}" STRATEGY FILE_COPY OWNER "${template.owner.name}"`,
    );
    await closeDatabase(admin, database, [copy.owner, copy.app]);
  });
  return {
    ...urlsOf(adminUrl, copy),
    adminUrl: urlFor(adminUrl, database),
    drop: () =>
      withClient(adminUrl, async (admin) => {
        // A pool that has ended is still closing its connections: cutting them off would be an error of the test.
        await holdsWithin(CLOSING_MS, async () => {
          const { rowCount } = await admin.query('SELECT FROM pg_stat_activity WHERE datname = $1', [database]);
          return rowCount === 0;
        });
        await admin.query(`DROP DATABASE "${database}" WITH (FORCE)`);
      }),
  };
};

import { createHash } from 'node:crypto';
import pg from 'pg';
import { readFunctions } from './function-list.ts';
import { readMigrations } from './migration-records.ts';

/** Identifies the migrations and functions of these folders. */
export const releaseOf = (prismaDirs: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([readMigrations(prismaDirs), readFunctions(prismaDirs)]))
    .digest('hex')
    .slice(0, 12);

const COMMENT = `
  SELECT datname AS database, shobj_description(oid, 'pg_database') AS releases
  FROM pg_database WHERE datname = current_database()`;
/** More than run beside each other, so that a pod of the release before starts during an upgrade. */
const MAX_RELEASES = 10;

/** The releases that have migrated this database, the newest last: its comment, which the role of a service may read. */
const readReleases = async (client: pg.ClientBase) => {
  const { rows } = await client.query<{ database: string; releases: string | null }>(COMMENT);
  const { database = '', releases } = rows[0] ?? {};
  return { database, releases: releases?.split(' ') ?? [] };
};

/** Only the owner of the database may record one. */
export const recordRelease = async (client: pg.ClientBase, release: string): Promise<void> => {
  const { database, releases } = await readReleases(client);
  if (releases.at(-1) === release) return;
  const comment = [...releases.filter((one) => one !== release), release].slice(-MAX_RELEASES).join(' ');
  await client.query(`COMMENT ON DATABASE ${pg.escapeIdentifier(database)} IS ${pg.escapeLiteral(comment)}`);
};

/** Whether these migrations and functions, or later ones after them, are in the database. */
export const isMigrated = async (client: pg.ClientBase, release: string): Promise<boolean> =>
  (await readReleases(client)).releases.includes(release);

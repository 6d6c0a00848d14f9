import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

export type PostgresError = Error & { readonly code?: string; readonly detail?: string };

/** Says in its error what was run. */
export async function nameErrors<T>(what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { message, code } = error as PostgresError;
    throw Object.assign(new Error(`${what}: ${message}`, { cause: error }), { code });
  }
}

/** How a migration waits for locks that the running services hold. */
export interface LockOptions {
  /** For one lock; later statements queue behind it, so it is short. */
  readonly lockTimeoutMs: number;
  readonly tries: number;
}

export const defaultLockOptions: LockOptions = { lockTimeoutMs: 1_000, tries: 20 };

const PAUSE_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/** First line of a script that runs outside of a transaction. */
const MARK = /^-- concurrently\s*\n/;
export const isConcurrent = (script: string): boolean => MARK.test(script);

const INDEX_STATEMENT =
  /^(?:CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS|DROP INDEX CONCURRENTLY IF EXISTS)\s+(?:\w+\.)?"?(?<index>\w+)"?/i;

/** Tries again, with a pause for the others, as long as a lock does not come free in time. An attempt is a transaction. */
export async function untilUnlocked<T>(
  { lockTimeoutMs, tries }: LockOptions,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let remaining = tries - 1; ; remaining -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if ((error as PostgresError).code !== LOCK_NOT_AVAILABLE) throw error;
      if (remaining === 0) {
        const reason = `What the migration changes was locked at each of ${tries} tries (${lockTimeoutMs} ms each)`;
        const next = 'Nothing was changed. End the long transactions (pg_stat_activity) and migrate again';
        throw new Error(`${reason}. ${next}.`, { cause: error });
      }
      await delay(PAUSE_MS);
    }
  }
}

/** What is sent whole is one transaction. */
export const runInTransaction = (
  client: pg.Client,
  script: string,
  lockOptions: LockOptions,
): Promise<unknown> =>
  untilUnlocked(lockOptions, () =>
    client.query(`SET LOCAL lock_timeout = ${lockOptions.lockTimeoutMs};${script}`),
  );

const withoutComments = (script: string): string => script.replaceAll(/^[ \t]*--.*$/gm, '');

const indexStatements = (script: string): { readonly statement: string; readonly index: string }[] =>
  withoutComments(script)
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
    .map((statement) => {
      const index = INDEX_STATEMENT.exec(statement)?.groups?.index;
      if (index) return { statement, index };
      const allowed = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS and DROP INDEX CONCURRENTLY IF EXISTS';
      throw new Error(`A migration that begins with "-- concurrently" is ${allowed} only, not: ${statement}`);
    });

/** A build that failed or was cut off leaves an index that is written and never read, and takes its name. */
const INVALID = `
  SELECT oid::regclass::text AS name FROM pg_class JOIN pg_index ON indexrelid = oid
  WHERE relname = $1 AND NOT indisvalid`;

/**
 * Builds and drops indexes while the services go on. Each statement stands alone and may be repeated, so a run that is
 * cut off begins again. No lock timeout: only other migrations wait behind these locks.
 */
export const runConcurrently = async (client: pg.Client, script: string): Promise<void> => {
  for (const { statement, index } of indexStatements(script)) {
    const { rows } = await client.query<{ name: string }>(INVALID, [index]);
    for (const { name } of rows) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
    await client.query(statement);
  }
};

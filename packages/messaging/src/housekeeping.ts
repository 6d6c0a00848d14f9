import { purgeEach } from '@tds/base';
import type { Pool } from 'pg';

/** Large enough that one run of many looks only a few times over what the run before has left to the vacuum. */
const BATCH = 5_000;

/**
 * Purges of old rows. An event lives seven days in the outbox and then, if it is published again, as long as the
 * stream keeps it, so the inbox remembers for longer than both. Each deletes at the place of the rows: no plan reads the table again. A dead letter goes before the task that its replay would wake.
 */
const PURGES = {
  outbox: `DELETE FROM messaging.outbox WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM messaging.outbox
     WHERE id < messaging.floor_id(now() - interval '7 days') AND published_at IS NOT NULL ORDER BY id LIMIT $1))`,
  deadLetters: `DELETE FROM messaging.dead_letters WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM messaging.dead_letters
     WHERE id < messaging.floor_id(now() - interval '30 days') ORDER BY id LIMIT $1))`,
  tasks: `DELETE FROM messaging.tasks WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM messaging.tasks WHERE id < messaging.floor_id(now() - interval '1 day')
       AND (state = 'done' AND finished_at < now() - interval '1 day'
         OR state = 'dead' AND finished_at < now() - interval '30 days') ORDER BY id LIMIT $1
     FOR UPDATE SKIP LOCKED))`,
};
const PURGE_INBOX = `
  DELETE FROM messaging.inbox WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM messaging.inbox
    WHERE processed_at < now() - interval '8 days' - $2 * interval '1 millisecond' LIMIT $1))`;

/** Older versions may come for as long as an event is kept, or its dead letter. */
const PURGE_VERSIONS = `
  DELETE FROM messaging.aggregate_versions WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM messaging.aggregate_versions
    WHERE seen_at < now() - interval '90 days' - $2 * interval '1 millisecond' LIMIT $1 FOR UPDATE SKIP LOCKED))`;

/** Deletes old rows in batches; resolves to their numbers. `keptMs` is how long streams keep events. */
export const purgeOldRows = (
  pool: Pool,
  { signal, keptMs }: { readonly signal: AbortSignal; readonly keptMs: number },
): Promise<Record<keyof typeof PURGES | 'inbox' | 'versions', number>> => {
  const purge =
    (sql: string, ...values: unknown[]) =>
    async (limit: number) =>
      (await pool.query(sql, [limit, ...values])).rowCount ?? 0;
  const { outbox, deadLetters, tasks } = PURGES;
  const purges = {
    outbox: purge(outbox),
    deadLetters: purge(deadLetters),
    tasks: purge(tasks),
    inbox: purge(PURGE_INBOX, keptMs),
    versions: purge(PURGE_VERSIONS, keptMs),
  };
  return purgeEach(purges, { signal, batch: BATCH });
};

const REPUBLISH = `
  UPDATE messaging.outbox SET published_at = NULL, waiting_since = clock_timestamp()
  WHERE id >= messaging.floor_id($1::timestamptz) AND created_at >= $1 AND published_at IS NOT NULL`;

/**
 * Publishes again what was saved since then: the tool for a broker that lost what it had acknowledged. Listeners that have
 * received it already ignore it by its id. Resolves to the number of events; the relay moves them.
 */
export const republishSince = async (database: Pick<Pool, 'query'>, since: Date): Promise<number> =>
  (await database.query(REPUBLISH, [since])).rowCount ?? 0;

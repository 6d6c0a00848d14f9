import type { Pool } from 'pg';

const BATCH = 1_000;

/**
 * What is old enough to be forgotten. An event lives seven days in the outbox and then up to seven more in a stream that
 * it was published to again, so the inbox remembers for longer than both.
 */
const PURGES = [
  `DELETE FROM messaging.outbox WHERE id IN (
     SELECT id FROM messaging.outbox
     WHERE id < messaging.floor_id(now() - interval '7 days') AND published_at IS NOT NULL ORDER BY id LIMIT ${BATCH})`,
  `DELETE FROM messaging.tasks WHERE id IN (
     SELECT id FROM messaging.tasks WHERE id < messaging.floor_id(now() - interval '1 day') AND state = 'done'
       AND finished_at < now() - interval '1 day' ORDER BY id LIMIT ${BATCH})`,
  `DELETE FROM messaging.inbox WHERE (consumer, message_id) IN (
     SELECT consumer, message_id FROM messaging.inbox WHERE processed_at < now() - interval '15 days' LIMIT ${BATCH})`,
];

/** Deletes in small batches until nothing old is left or the signal fires; resolves to the number of rows. */
export const purgeOldRows = async (pool: Pool, signal: AbortSignal): Promise<number> => {
  let purged = 0;
  for (const purge of PURGES) {
    let count = BATCH;
    while (count === BATCH && !signal.aborted) {
      count = (await pool.query(purge)).rowCount ?? 0;
      purged += count;
    }
  }
  return purged;
};

const REPUBLISH = `
  UPDATE messaging.outbox SET published_at = NULL, waiting_since = clock_timestamp()
  WHERE id >= messaging.floor_id($1::timestamptz) AND created_at >= $1 AND published_at IS NOT NULL`;

/**
 * Publishes again what was saved since then: the tool for a broker that lost what it had acknowledged. Listeners that have
 * heard it already ignore it by its id. Resolves to the number of events; the relay moves them.
 */
export const republishSince = async (pool: Pool, since: Date): Promise<number> =>
  (await pool.query(REPUBLISH, [since])).rowCount ?? 0;

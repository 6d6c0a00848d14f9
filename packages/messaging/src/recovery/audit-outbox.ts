import { readStreamState } from '../broker/stream-now.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';

/**
 * The stream lost an event if the event's position is beyond the stream's end or among its holes, or if the stream gave that
 * position to two events: only one of them is there. $2 is a moment before the stream was looked at, $4 the last audit.
 */
const REPUBLISH = `
  WITH reused AS (
    SELECT stream_seq FROM messaging.outbox
    WHERE stream_seq IN (SELECT stream_seq FROM messaging.outbox WHERE published_at > $4::timestamptz - interval '1 minute')
    GROUP BY stream_seq HAVING count(*) > 1
  ), lost AS (
    SELECT id FROM messaging.outbox WHERE stream_seq > $1::bigint AND published_at <= $2::timestamptz
    UNION SELECT id FROM messaging.outbox WHERE stream_seq = ANY ($3::bigint[])
    UNION SELECT id FROM messaging.outbox WHERE stream_seq IN (SELECT stream_seq FROM reused)
  )
  UPDATE messaging.outbox SET published_at = NULL, stream_seq = NULL, waiting_since = clock_timestamp(), failures = failures + 1
  FROM lost WHERE outbox.id = lost.id AND published_at IS NOT NULL`;

/**
 * Creates the audit that returns events to the relay if the stream acknowledged and then lost them: a broker may come back
 * wiped, rolled back or without its last seconds, and a new leader may lack some. Listeners ignore events that they know.
 * The audit resolves to the number of events. Its first run in a process covers the whole outbox.
 */
export const createOutboxAudit = ({ pool, bus, service, log, metrics }: StoreRuntime) => {
  let lastAudit = '-infinity';
  return async (signal: AbortSignal): Promise<number> => {
    const { rows } = await pool.query<{ now: string }>('SELECT clock_timestamp()::text AS now');
    const now = rows[0]?.now;
    const { lastSeq, holes } = await readStreamState(bus, service, signal);
    const lostCount = (await pool.query(REPUBLISH, [lastSeq, now, holes, lastAudit])).rowCount ?? 0;
    lastAudit = now ?? lastAudit;
    if (lostCount > 0) {
      metrics.eventsPublishedAgain.inc(lostCount);
      log.warn('the broker lost events that it had acknowledged: they are published again', {
        events: lostCount,
      });
    }
    return lostCount;
  };
};

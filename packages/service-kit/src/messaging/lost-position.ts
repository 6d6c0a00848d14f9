import type { JetStreamManager } from '@nats-io/jetstream';
import type { Pool } from 'pg';
import { ensureStream, eventStream } from '../bus/streams.ts';
import { isKept, newestIn, type Sent } from './kept-messages.ts';

/** By the ids' own time; the highest place among so many is the highest there is, or close to it. */
const NEWEST_HEARD = `
  SELECT message_id AS id, stream_seq FROM messaging.inbox
  WHERE consumer = $1 AND stream_seq IS NOT NULL ORDER BY message_id DESC LIMIT 200`;

/**
 * Whether the stream has lost messages that this consumer has heard. After a power cut the broker may know how far a
 * consumer had come and not the messages up to there: it would never deliver those that take their places.
 */
export const isPositionLost = async (
  pool: Pool,
  manager: JetStreamManager,
  consumer: string,
): Promise<boolean> => {
  await ensureStream(manager, eventStream);
  const { rows } = await pool.query<Sent>(NEWEST_HEARD, [consumer]);
  const newest = newestIn(rows);
  return newest !== undefined && !(await isKept(manager, newest));
};

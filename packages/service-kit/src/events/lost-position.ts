import type { JetStreamManager } from '@nats-io/jetstream';
import type { Pool } from 'pg';
import { ensureStream, eventStream } from '../broker/streams.ts';
import { isKept, newestIn } from './kept-messages.ts';
import { newestReceived } from './position.ts';

/**
 * Whether the stream has lost messages that this consumer has received. After a power cut the broker may know how far a
 * consumer had come and not the messages up to there: it would never deliver those that take their positions.
 */
export const isPositionLost = async (
  pool: Pool,
  manager: JetStreamManager,
  consumer: string,
): Promise<boolean> => {
  await ensureStream(manager, eventStream);
  const newest = newestIn(await newestReceived(pool, consumer));
  return newest !== undefined && !(await isKept(manager, newest));
};

import type { JetStreamManager } from '@nats-io/jetstream';
import type { Pool } from 'pg';
import { ensureStream, eventStream } from '../bus/streams.ts';
import { isKept, newestIn } from './kept-messages.ts';
import { newestHeard } from './position.ts';

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
  const newest = newestIn(await newestHeard(pool, consumer));
  return newest !== undefined && !(await isKept(manager, newest));
};

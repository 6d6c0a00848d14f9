import type { Event } from '@tds/contracts';
import { consumerNameOf, eventStream, prepareStream, readersOf } from '../broker/streams.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { isKept, newestIn } from './kept-messages.ts';
import { newestReceived } from './position.ts';

/**
 * Whether the stream has lost messages that this consumer has received. After a power cut the broker may know how far a
 * consumer had come and not the messages up to there: it would never deliver those that take their positions.
 */
export const isPositionLost = async (
  { pool, bus, service }: Pick<StoreRuntime, 'pool' | 'bus' | 'service'>,
  event: Event,
): Promise<boolean> => {
  const stream = eventStream(event.owner, bus.streamLimits);
  await prepareStream(bus, stream);
  const newest = newestIn(await newestReceived(pool, event.subject));
  const reader = readersOf(consumerNameOf(service, event)).audit;
  const kept = { stream: stream.name, reader, subject: event.subject };
  return newest !== undefined && !(await isKept(bus, kept, newest));
};

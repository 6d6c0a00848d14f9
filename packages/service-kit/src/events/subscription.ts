import type { Event } from '@tds/contracts';
import { type ConsumerDefinition, consumerNameOf, eventStream } from '../broker/streams.ts';
import type { Runtime } from '../runtime/runtime.ts';

export const ACK_WAIT_MS = 5_000;

/** The durable consumer that all instances of a service share for one event. */
export const consumerOf = (
  { service, bus }: Pick<Runtime, 'service' | 'bus'>,
  event: Event,
): ConsumerDefinition => ({
  stream: eventStream(event.owner, bus.streamLimits),
  name: consumerNameOf(service, event),
  subject: event.subject,
  ackWaitMs: ACK_WAIT_MS,
});

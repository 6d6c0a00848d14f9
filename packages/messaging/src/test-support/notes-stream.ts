import { DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import type { ConsumerDefinition, StreamDefinition } from '../broker/streams.ts';

/** A stream of no service, and a consumer of one of its subjects. */
export const notes: StreamDefinition = {
  name: 'NOTES',
  subjects: ['notes.>'],
  retention: RetentionPolicy.Limits,
  storage: StorageType.Memory,
  discard: DiscardPolicy.Old,
  max_age: nanos(60_000),
};
export const notesTaken: ConsumerDefinition = {
  stream: notes,
  name: 'status__notes',
  subject: 'notes.taken',
  ackWaitMs: 1_000,
};

import {
  AckPolicy,
  type Consumer,
  type ConsumerConfig,
  DeliverPolicy,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import { MINUTE_MS, type Surface } from '@tds/contracts';
import type { Bus } from './bus.ts';
import type { StreamLimits } from './stream-limits.ts';

export type StreamDefinition = Pick<StreamConfig, 'name'> & Partial<StreamConfig>;

/** Of all facts of one service. */
export const eventStreamName = (emitter: string): string => `EVT_${emitter}`;

/** All events of one service; each service has a stream of its own, because rights are per stream. */
export const eventStream = (emitter: string, limits: StreamLimits): StreamDefinition => ({
  name: eventStreamName(emitter),
  subjects: [`evt.${emitter}.>`],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  num_replicas: limits.replicas,
  discard: limits.discard,
  max_age: nanos(limits.maxAgeMs),
  max_bytes: limits.maxBytes,
  max_msgs: limits.maxMessages,
  duplicate_window: nanos(2 * MINUTE_MS),
});

/** The subject on which the instances of a service announce that they work. */
export const workSubject = (service: string): string => `work.${service}`;

/** Whether a service needs tables of the kit. */
export const isStored = ({ contract: { tasks, events }, subscriptions, schedules }: Surface): boolean =>
  [tasks, events, subscriptions, schedules].some((kind) => Object.keys(kind).length > 0);

/** The streams that a service needs: that of its events. */
export const listStreams = ({ name, contract }: Surface, limits: StreamLimits): StreamDefinition[] =>
  Object.keys(contract.events).length > 0 ? [eventStream(name, limits)] : [];

/** The subject on which the broker announces a deleted stream. */
export const streamDeleted = (stream: string): string => `$JS.EVENT.ADVISORY.STREAM.DELETED.${stream}`;

const NAME_IN_USE = 10_058;
export const STREAM_NOT_FOUND = new Set([10_059]);
export const CONSUMER_NOT_FOUND = new Set([10_014]);
const CONSUMER_EXISTS = new Set([10_105, 10_148]);
export const failedWith = (error: unknown, codes: { has(code: number): boolean }): boolean =>
  error instanceof JetStreamApiError && codes.has(error.code);

/** Creates the stream or brings it to this definition. */
export const ensureStream = async (manager: JetStreamManager, stream: StreamDefinition): Promise<void> => {
  try {
    await manager.streams.add(stream);
  } catch (error) {
    if (!failedWith(error, new Set([NAME_IN_USE]))) throw error;
    const { retention: _fixed, storage: _fixedToo, ...changeable } = stream;
    await manager.streams.update(stream.name, changeable);
  }
};

/**
 * If the broker knows its users, the provisioner makes the streams and this does nothing. Otherwise a service that needs a stream
 * makes it.
 */
export const prepareStream = async (bus: Bus, stream: StreamDefinition): Promise<void> => {
  if (!bus.hasProvisioner) await ensureStream(await bus.jetstream.jetstreamManager(false), stream);
};

/** All instances of a service share one durable consumer per event. */
export const consumerNameOf = (service: string, event: { readonly wireName: string }): string =>
  `${service}__${event.wireName}`;

/** Reads the service's own events, for the audit of its outbox. */
export const emittedReader = (service: string): string => `${service}__audit`;

/** Reads the stream beside the consumer, to find events that this database lost. */
export const lostEventsReader = (consumer: string): string => `${consumer}__search`;

export type ConsumerDefinition = {
  readonly stream: StreamDefinition;
  readonly name: string;
  readonly subject: string;
  /** How long a delivery may go without a heartbeat before it goes to another instance. */
  readonly ackWaitMs: number;
};

const consumerConfig = ({ name, subject, ackWaitMs }: ConsumerDefinition): Partial<ConsumerConfig> => ({
  durable_name: name,
  filter_subject: subject,
  ack_policy: AckPolicy.Explicit,
  // After a loss of the broker's store everything is delivered again; the inbox ignores handled events.
  deliver_policy: DeliverPolicy.All,
  ack_wait: nanos(ackWaitMs),
  max_deliver: -1,
  max_ack_pending: 1_000,
});

/** The durable consumer, created or updated together with its stream. */
export const ensureConsumer = async (bus: Bus, definition: ConsumerDefinition): Promise<Consumer> => {
  await prepareStream(bus, definition.stream);
  const manager = await bus.jetstream.jetstreamManager(false);
  const { name } = definition.stream;
  const config = consumerConfig(definition);
  try {
    return bus.jetstream.consumers.getConsumerFromInfo(await manager.consumers.add(name, config));
  } catch (error) {
    if (!failedWith(error, CONSUMER_EXISTS)) throw error;
    const updated = await manager.consumers.update(name, definition.name, config);
    return bus.jetstream.consumers.getConsumerFromInfo(updated);
  }
};

/**
 * Forgets how far the durable consumer had come. It is created first: a broker that does not know it any more may still
 * have its file, and would go on from there.
 */
export const resetConsumer = async (bus: Bus, definition: ConsumerDefinition): Promise<void> => {
  await ensureConsumer(bus, definition);
  const manager = await bus.jetstream.jetstreamManager(false);
  try {
    await manager.consumers.delete(definition.stream.name, definition.name);
  } catch (error) {
    // Another instance was first.
    if (!failedWith(error, CONSUMER_NOT_FOUND)) throw error;
  }
};

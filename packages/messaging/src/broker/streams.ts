import { isDeepStrictEqual } from 'node:util';
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
import { expecting, failureFields } from '@tds/base';
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

export const STREAM_NOT_FOUND = new Set([10_059]);
export const CONSUMER_NOT_FOUND = new Set([10_014]);
const CONSUMER_EXISTS = new Set([10_105, 10_148]);
const CONSUMER_NOT_CREATED = new Set([10_012]);
export const failedWith = (error: unknown, codes: { has(code: number): boolean }): boolean =>
  error instanceof JetStreamApiError && codes.has(error.code);

/** Another instance may have been first. */
export const deleteConsumer = async (
  manager: JetStreamManager,
  stream: string,
  name: string,
): Promise<void> => {
  const isGone = (error: unknown) => failedWith(error, CONSUMER_NOT_FOUND);
  await manager.consumers.delete(stream, name).catch(expecting(isGone, false));
};

/** The broker lacks a stream, or refuses to make or change it; one that `exists` works on as it was. */
export class StreamFailure extends Error {
  override readonly name = 'StreamFailure';
  readonly exists: boolean;

  constructor(
    stream: string,
    problem: string,
    { exists = false, cause }: { exists?: boolean; cause?: Error } = {},
  ) {
    super(`the stream ${stream} ${problem}`, { cause });
    this.exists = exists;
  }
}

/**
 * Creates the stream or brings it to this definition. A stream that exists is never created again: for that the broker counts
 * its bytes twice, and refuses if they do not fit. Throws StreamFailure.
 */
export const ensureStream = async (manager: JetStreamManager, stream: StreamDefinition): Promise<void> => {
  const { retention: _fixed, storage: _fixedToo, ...changeable } = stream;
  const found = await manager.streams.info(stream.name).catch((error) => {
    if (!failedWith(error, STREAM_NOT_FOUND)) throw error;
  });
  const isKept = Object.entries(changeable).every(([key, value]) =>
    isDeepStrictEqual(found?.config[key as keyof StreamConfig], value),
  );
  try {
    if (!found) await manager.streams.add(stream);
    else if (!isKept) await manager.streams.update(stream.name, changeable);
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw error;
    const problem = `of ${stream.max_bytes} bytes on ${stream.num_replicas} brokers is refused`;
    throw new StreamFailure(stream.name, problem, { exists: found !== undefined, cause: error });
  }
};

/**
 * If the broker knows its users, the provisioner makes the streams and this does nothing. Otherwise a service that needs a stream
 * makes it.
 */
export const prepareStream = async (bus: Bus, stream: StreamDefinition): Promise<void> => {
  if (bus.hasProvisioner) return;
  try {
    await ensureStream(await bus.jetstream.jetstreamManager(false), stream);
  } catch (error) {
    if (!(error instanceof StreamFailure && error.exists)) throw error;
    bus.log.warn('a stream keeps its limits', failureFields(error));
  }
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

/**
 * The durable consumer, created or updated together with its stream. A power cut may leave a file of it that the broker refuses ever after:
 * then it is kept in memory, and after a restart of the broker it delivers everything again.
 */
export const ensureConsumer = async (bus: Bus, definition: ConsumerDefinition): Promise<Consumer> => {
  await prepareStream(bus, definition.stream);
  const { consumers } = await bus.jetstream.jetstreamManager(false);
  const { name } = definition.stream;
  const config = consumerConfig(definition);
  const add = async (inMemory: Partial<ConsumerConfig> = {}) =>
    bus.jetstream.consumers.getConsumerFromInfo(await consumers.add(name, { ...config, ...inMemory }));
  try {
    return await add();
  } catch (error) {
    if (failedWith(error, CONSUMER_NOT_CREATED)) {
      bus.log.warn('a consumer is kept in memory', { consumer: definition.name, ...failureFields(error) });
      return await add({ mem_storage: true });
    }
    if (!failedWith(error, CONSUMER_EXISTS)) throw error;
    const { config: found } = await consumers.info(name, definition.name);
    const kept = found.mem_storage ? { mem_storage: true } : {};
    const updated = await consumers.update(name, definition.name, { ...config, ...kept });
    return bus.jetstream.consumers.getConsumerFromInfo(updated);
  }
};

/**
 * Forgets how far the durable consumer had come. It is created first: a broker that does not know it any more may still
 * have its file, and would go on from there.
 */
export const resetConsumer = async (bus: Bus, definition: ConsumerDefinition): Promise<void> => {
  await ensureConsumer(bus, definition);
  await deleteConsumer(await bus.jetstream.jetstreamManager(false), definition.stream.name, definition.name);
};

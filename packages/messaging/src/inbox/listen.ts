import { randomUUID } from 'node:crypto';
import type { JsMsg } from '@nats-io/jetstream';
import { failureFields } from '@tds/base';
import { createSemaphore, withinTimeLimit } from '@tds/base/internals';
import type { Event } from '@tds/contracts';
import { consume } from '../broker/consume.ts';
import { messageContextOf, messageIdOf } from '../broker/message-headers.ts';
import { type ConsumerDefinition, consumerNameOf, eventStream } from '../broker/streams.ts';
import { crashPoint } from '../runtime/crash-points.ts';
import type { Runtime, StoreRuntime, Worker } from '../runtime/runtime.ts';
import { buryEvent } from './dead-letters.ts';
import { type ListenerHandler, type ListenerHandlers, notifyListener } from './listener.ts';
import { jsonText, replayLater, toReplay } from './replays.ts';

const CONCURRENCY = 8;
const ACK_WAIT_MS = 5_000;
/**
 * After the second failure the event waits as a task: with the broker it would take the room of others. An event that this
 * release cannot read fails like any other, so that a newer release may take one of its attempts.
 */
const DELIVERIES = 2;
const SECOND_AFTER_MS = 200;
const THIRD_AFTER_MS = 1_000;
/** For one that hangs: as if it had failed. */
const LIMIT = { timeLimitMs: 60_000, leaseMs: 15_000 };
const BURY_RETRY_MS = 5_000;

/** The durable consumer that all instances of a service share for one event. */
export const toConsumer = (
  { service, bus }: Pick<Runtime, 'service' | 'bus'>,
  event: Event,
): ConsumerDefinition => ({
  stream: eventStream(event.owner, bus.streamLimits),
  name: consumerNameOf(service, event),
  subject: event.subject,
  ackWaitMs: ACK_WAIT_MS,
});

type Delivery = { readonly event: Event; readonly handler: ListenerHandler; readonly message: JsMsg };

/** Keeps a message that no task could name; only then may the broker forget it. */
const giveUp = async (
  { pool, log, metrics }: StoreRuntime,
  delivery: Delivery,
  reason: string,
): Promise<void> => {
  const { event, message } = delivery;
  try {
    await buryEvent(pool, {
      subject: event.subject,
      messageId: messageIdOf(message.headers) ?? randomUUID(),
      payload: jsonText(message.string()),
      headers: messageContextOf(message.headers),
      reason,
      attempts: message.info.deliveryCount,
    });
    metrics.deadLetters.inc({ source: event.wireName });
    message.term();
  } catch (error) {
    log.error('a dead letter could not be kept yet', { event: event.wireName, ...failureFields(error) });
    message.nak(BURY_RETRY_MS);
  }
};

/** Leaves the event to a task, with the retries and the end of every task; only then may the broker forget it. */
const handToTask = async (
  { pool, log }: StoreRuntime,
  { event, message }: Delivery,
  messageId: string,
): Promise<void> => {
  try {
    await replayLater(pool, toReplay(message, messageId, 'listener'), THIRD_AFTER_MS);
    message.ack();
  } catch (error) {
    log.warn('an event could not be left to a task yet', { event: event.wireName, ...failureFields(error) });
    message.nak(BURY_RETRY_MS);
  }
};

/** Runs the listener, for its time at most. Resolves to whether it handled the event: the listener's record says why not. */
const notify = (runtime: StoreRuntime, { event, handler, message }: Delivery, messageId: string) =>
  withinTimeLimit(LIMIT, runtime.ending, (signal) =>
    notifyListener(runtime, {
      event,
      handler,
      messageId,
      signal,
      consumer: event.subject,
      streamSeq: message.seq,
      body: message.string(),
      messageContext: messageContextOf(message.headers),
    }),
  ).then(
    () => true,
    () => false,
  );

/** A closed connection cannot extend the acknowledgement; the message then goes to another instance. */
const extendAckWait = ({ bus }: StoreRuntime, message: JsMsg): void => {
  if (!bus.connection.isClosed() && !bus.connection.isDraining()) message.working();
};

/** One delivery: acknowledged after the listener has returned, otherwise tried again later. */
const deliver = async (runtime: StoreRuntime, delivery: Delivery): Promise<void> => {
  const { event, message } = delivery;
  const { metrics } = runtime;
  crashPoint('event-received', event.wireName);
  const messageId = messageIdOf(message.headers);
  if (messageId === undefined) return giveUp(runtime, delivery, 'the message has no id');
  const keepAlive = setInterval(() => extendAckWait(runtime, message), ACK_WAIT_MS / 3);
  try {
    metrics.eventLag.observe(
      { name: event.wireName },
      Math.max(0, Date.now() - message.time.getTime()) / 1_000,
    );
    const isHandled = await notify(runtime, delivery, messageId);
    crashPoint('event-handled', event.wireName);
    if (isHandled) return message.ack();
    if (message.info.deliveryCount >= DELIVERIES) return await handToTask(runtime, delivery, messageId);
    // In whole milliseconds: a delay with fractions of a nanosecond is none to the broker.
    message.nak(Math.round(SECOND_AFTER_MS * (1 + Math.random() / 10)));
  } finally {
    clearInterval(keepAlive);
  }
};

const listenTo = (runtime: StoreRuntime, event: Event, handler: ListenerHandler): Worker => {
  const { bus, log, checks } = runtime;
  const permits = createSemaphore(CONCURRENCY);
  const consumer = consume({
    bus,
    definition: toConsumer(runtime, event),
    room: permits,
    take: (message) => {
      const delivery = permits.run(() => deliver(runtime, { event, handler, message }));
      delivery.catch((error) =>
        log.warn('an event could not be acknowledged', { event: event.wireName, ...failureFields(error) }),
      );
    },
    log,
    checks,
  });
  return {
    stop: async () => {
      await consumer.stop();
      await permits.whenIdle();
    },
  };
};

/** Receives the surface's events, each through a durable consumer that all instances of the service share. */
export const listen = (runtime: StoreRuntime, handlers: ListenerHandlers): Worker => {
  const listeners = runtime.surface.subscriptions.map((event) => {
    const handler = handlers[event.name];
    if (!handler) throw new Error(`${runtime.service} has no listener for ${event.wireName}`);
    return listenTo(runtime, event, handler);
  });
  return { stop: async () => void (await Promise.all(listeners.map((listener) => listener.stop()))) };
};

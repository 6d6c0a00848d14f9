import { randomUUID } from 'node:crypto';
import type { JsMsg } from '@nats-io/jetstream';
import type { Event } from '@tds/contracts';
import { createSemaphore } from '../async/semaphore.ts';
import { consume } from '../broker/consume.ts';
import { messageContextOf, messageIdOf } from '../broker/message-headers.ts';
import { errorText } from '../errors/error-text.ts';
import { failureFields } from '../errors/failure-fields.ts';
import { crashPoint } from '../runtime/crash-points.ts';
import type { StoreRuntime, Worker } from '../runtime/runtime.ts';
import { buryEvent } from './dead-letters.ts';
import { holdEvent } from './held-events.ts';
import { jsonText } from './json-text.ts';
import { type ListenerHandler, type ListenerHandlers, notifyListener } from './notify-listener.ts';
import { ACK_WAIT_MS, consumerOf } from './subscription.ts';

const CONCURRENCY = 8;
/** Waits before the 2nd, 3rd ... delivery; after the last one the event is a dead letter. */
const BACKOFF_MS = [200, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 300_000];
const KEEP_AGAIN_MS = 5_000;

type Delivery = { readonly event: Event; readonly handler: ListenerHandler; readonly message: JsMsg };

/** Keeps the event in the database; only then may the broker forget it. */
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
    message.nak(KEEP_AGAIN_MS);
  }
};

/** Leaves the event, in the database, to a release that can read it; only then may the broker forget it. */
const hold = async (
  { pool, log, metrics }: StoreRuntime,
  { event, message }: Delivery,
  messageId: string,
  error: unknown,
): Promise<void> => {
  const [name, reason] = [event.wireName, errorText(error)];
  try {
    await holdEvent(pool, {
      ...{ subject: event.subject, messageId, streamSeq: message.seq, reason },
      payload: jsonText(message.string()),
      headers: messageContextOf(message.headers),
    });
    metrics.eventsHeld.inc({ name });
    log.warn('an event that this release cannot read is held for one that can', {
      event: name,
      messageId,
      reason,
    });
    message.ack();
  } catch (failed) {
    log.error('an event that cannot be read could not be held yet', {
      event: name,
      ...failureFields(failed),
    });
    message.nak(KEEP_AGAIN_MS);
  }
};

/** A connection that is closed takes no sign of life; the message then goes to another instance. */
const stillWorking = ({ bus }: StoreRuntime, message: JsMsg): void => {
  if (!bus.connection.isClosed() && !bus.connection.isDraining()) message.working();
};

/** One delivery: acknowledged after the listener has returned, otherwise tried again later. */
const deliver = async (runtime: StoreRuntime, delivery: Delivery): Promise<void> => {
  const { event, handler, message } = delivery;
  const { metrics } = runtime;
  crashPoint('event-received');
  const messageId = messageIdOf(message.headers);
  if (messageId === undefined) return giveUp(runtime, delivery, 'the message has no id');
  const keepAlive = setInterval(() => stillWorking(runtime, message), ACK_WAIT_MS / 3);
  try {
    metrics.eventLag.observe(
      { name: event.wireName },
      Math.max(0, Date.now() - message.time.getTime()) / 1_000,
    );
    const outcome = await notifyListener(runtime, {
      event,
      handler,
      messageId,
      streamSeq: message.seq,
      body: message.string(),
      messageContext: messageContextOf(message.headers),
    });
    crashPoint('event-handled');
    if (outcome.handled) return message.ack();
    if (!outcome.isReadable) return await hold(runtime, delivery, messageId, outcome.error);
    const backoffMs = BACKOFF_MS[message.info.deliveryCount - 1];
    if (backoffMs === undefined) return await giveUp(runtime, delivery, errorText(outcome.error));
    // In whole milliseconds: a delay with fractions of a nanosecond is none to the broker.
    message.nak(Math.round(backoffMs * (1 + Math.random() / 10)));
  } finally {
    clearInterval(keepAlive);
  }
};

const listenTo = (runtime: StoreRuntime, event: Event, handler: ListenerHandler): Worker => {
  const { bus, log, checks } = runtime;
  const permits = createSemaphore(CONCURRENCY);
  const consumer = consume({
    bus,
    definition: consumerOf(runtime, event),
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

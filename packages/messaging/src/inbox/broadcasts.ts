import type { Subscription } from '@nats-io/nats-core';
import { failureFields } from '@tds/base';
import { createWideRecord, runInContext } from '@tds/base/internals';
import type { Event } from '@tds/contracts';
import { messageContextOf } from '../broker/message-headers.ts';
import type { Context } from '../context.ts';
import type { Runtime, Worker } from '../runtime/runtime.ts';

type BroadcastHandler = (payload: unknown, context: Context) => Promise<void>;
export type BroadcastHandlers = Readonly<Record<string, BroadcastHandler>>;

/** Every running instance receives the event at once; no durability, no retries, no record: it is a hint. */
const receive = ({ bus, log, ending }: Runtime, event: Event, handler: BroadcastHandler) => {
  const handle = async (body: string, context: Context): Promise<void> => {
    try {
      await handler(event.payload.parse(JSON.parse(body)), context);
    } catch (error) {
      log.warn('a broadcast was not handled', { event: event.wireName, ...failureFields(error) });
    }
  };
  return bus.connection.subscribe(event.subject, {
    callback: (failed, message) => {
      if (failed) return log.error('an event cannot be received', { event: event.wireName, error: failed });
      if (message.subject !== event.subject)
        return log.error('a message that is none of this event`s was sent here on purpose', {
          event: event.wireName,
          subject: message.subject,
        });
      const messageContext = messageContextOf(message.headers);
      const { requestId, accountId } = messageContext;
      const context = { requestId, accountId, signal: ending, record: createWideRecord() };
      runInContext(
        { ...messageContext, handling: event.wireName },
        () => void handle(message.string(), context),
      );
    },
  });
};

/** Receives the surface's broadcasts. */
export const receiveBroadcasts = (runtime: Runtime, handlers: BroadcastHandlers): Worker => {
  const { bus, service, surface } = runtime;
  const listeners = surface.broadcasts.map((event) => {
    const handler = handlers[event.name];
    if (!handler) throw new Error(`${service} has no handler for the broadcast ${event.wireName}`);
    return { event, handler };
  });
  let subscriptions: Subscription[] = [];
  const subscribe = (): void => {
    stopWaiting();
    subscriptions = listeners.map(({ event, handler }) => receive(runtime, event, handler));
  };
  // The subscriptions of a connection outlive its interruptions.
  const stopWaiting = bus.onConnect(subscribe);
  if (bus.isConnected()) subscribe();
  return {
    stop: async () => {
      stopWaiting();
      for (const subscription of subscriptions) subscription.unsubscribe();
    },
  };
};

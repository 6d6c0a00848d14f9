import type { Event } from '@tds/contracts';
import { failureFields } from '../errors/failure-fields.ts';
import { createWideRecord, runInContext } from '../log/log.ts';
import type { Runtime, Worker } from '../run/runtime.ts';
import type { Context } from '../service.ts';
import { travellingOf } from './message-headers.ts';

type BroadcastHandler = (payload: unknown, context: Context) => Promise<void>;
export type BroadcastHandlers = Readonly<Record<string, BroadcastHandler>>;

/** Tells every running instance of an event at once; no durability, no retries, no record: it is a hint. */
const receive = ({ bus, log, ending }: Runtime, event: Event, handler: BroadcastHandler) => {
  const tell = async (body: string, context: Context): Promise<void> => {
    try {
      await handler(event.payload.parse(JSON.parse(body)), context);
    } catch (error) {
      log.warn('a broadcast was not handled', { event: event.wireName, ...failureFields(error) });
    }
  };
  return bus.connection.subscribe(event.subject, {
    callback: (failed, message) => {
      if (failed) return log.error('an event cannot be received', { event: event.wireName, error: failed });
      const travelling = travellingOf(message.headers);
      const { requestId, accountId } = travelling;
      const context = { requestId, accountId, signal: ending, record: createWideRecord() };
      runInContext(travelling, () => void tell(message.string(), context));
    },
  });
};

/** Receives the surface's broadcasts. */
export const receiveBroadcasts = (runtime: Runtime, handlers: BroadcastHandlers): Worker => {
  const subscriptions = runtime.surface.broadcasts.map((event) => {
    const handler = handlers[event.name];
    if (!handler) throw new Error(`${runtime.service} has no handler for the broadcast ${event.wireName}`);
    return receive(runtime, event, handler);
  });
  return {
    stop: async () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    },
  };
};

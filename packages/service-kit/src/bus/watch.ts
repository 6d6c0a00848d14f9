import type { Event } from '@tds/contracts';
import { failureFields } from '../errors/failure-fields.ts';
import { createWideRecord, runInContext } from '../log/log.ts';
import type { Runtime, Worker } from '../run/runtime.ts';
import type { Context } from '../service.ts';
import { travellingOf } from './message-headers.ts';

type Watcher = (payload: unknown, context: Context) => Promise<void>;
export type Watchers = Readonly<Record<string, Watcher>>;

/** Tells every running instance of an event at once; no durability, no retries, no record: it is a hint. */
const watch = ({ bus, log, ending }: Runtime, event: Event, watcher: Watcher) => {
  const tell = async (body: string, context: Context): Promise<void> => {
    try {
      await watcher(event.payload.parse(JSON.parse(body)), context);
    } catch (error) {
      log.warn('a watcher failed', { event: event.name, ...failureFields(error) });
    }
  };
  return bus.connection.subscribe(event.subject, {
    callback: (failed, message) => {
      if (failed) return log.error('an event cannot be watched', { event: event.name, error: failed });
      const travelling = travellingOf(message.headers);
      const { requestId, accountId } = travelling;
      const context = { requestId, accountId, signal: ending, record: createWideRecord() };
      runInContext(travelling, () => void tell(message.string(), context));
    },
  });
};

/** Watches the surface's events. */
export const watchEvents = (runtime: Runtime, watchers: Watchers): Worker => {
  const subscriptions = runtime.surface.watches.map((event) => {
    const watcher = watchers[event.name];
    if (!watcher) throw new Error(`${runtime.service} has no watcher for ${event.name}`);
    return watch(runtime, event, watcher);
  });
  return {
    stop: async () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    },
  };
};

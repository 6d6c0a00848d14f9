import { randomUUID } from 'node:crypto';
import type { Event, PayloadOf } from '@tds/contracts';
import { isNewest, versionIn } from '../events/aggregate-versions.ts';
import { handleOnce } from '../events/inbox.ts';
import type { Context, ListenerContext } from '../runtime/service.ts';
import { testContext } from './caller.ts';

/** What comes with one event to its listener, by the inbox of the database that it works on; the same one again is a second delivery. */
export const delivered = <E extends Event>(
  event: E,
  payload: PayloadOf<E>,
  given: Partial<Context> = {},
): ListenerContext => {
  const message = { consumer: event.subject, messageId: randomUUID(), streamSeq: null };
  const once: ListenerContext['once'] = (tx, effect) => handleOnce(tx, message, effect);
  return {
    ...testContext(given),
    messageId: message.messageId,
    once,
    onceIfNewest: (tx, effect) =>
      once(tx, async () => {
        if (await isNewest(tx, message.consumer, versionIn(event, payload))) await effect();
      }),
  };
};

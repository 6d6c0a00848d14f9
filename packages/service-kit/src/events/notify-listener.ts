import type { Event } from '@tds/contracts';
import type { MessageContext } from '../broker/message-context.ts';
import { sqlExecutor } from '../db/sql-executor.ts';
import { observe } from '../runtime/observe.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import type { ListenerContext } from '../runtime/service.ts';
import { isNewest, versionIn } from './aggregate-versions.ts';
import { handleOnce } from './inbox.ts';

export type ListenerHandler = (payload: unknown, context: ListenerContext) => Promise<void>;
export type ListenerHandlers = Readonly<Record<string, ListenerHandler>>;

export type Notice = {
  readonly event: Event;
  /** Under which name it is remembered as handled. */
  readonly consumer: string;
  readonly handler: ListenerHandler;
  readonly messageId: string;
  /** Where the stream keeps it; null where it did not come from there. */
  readonly streamSeq: number | null;
  readonly body: string;
  readonly messageContext: MessageContext;
  readonly signal: AbortSignal;
};

/**
 * Runs a listener for one event. Throws if the listener fails, or if this release cannot read the event. A handled event is in
 * the inbox even if the listener did not call `once`: an event that is not there counts as lost.
 */
export const notifyListener = (runtime: StoreRuntime, notice: Notice): Promise<void> => {
  const { event, handler, consumer, messageId, streamSeq, messageContext, signal } = notice;
  const { service, log, pool } = runtime;
  let isKnown = false;
  return observe(
    { kind: 'event', name: event.wireName, service, messageContext, span: 'consumer', log },
    async (record) => {
      record.add({ messageId });
      const payload = event.payload.parse(JSON.parse(notice.body));
      const { requestId, accountId } = messageContext;
      const message = { consumer, messageId, streamSeq };
      const once: ListenerContext['once'] = async (tx, effect) => {
        await handleOnce(tx, message, effect);
        isKnown = true;
      };
      await handler(payload, {
        requestId,
        accountId,
        signal,
        record,
        messageId,
        once,
        onceIfNewest: (tx, effect) => {
          const version = versionIn(event, payload);
          return once(tx, async () => {
            const isNews = await isNewest(tx, consumer, version);
            record.add({ isNews });
            if (isNews) await effect();
          });
        },
      });
      if (!isKnown) await handleOnce(sqlExecutor(pool), message, async () => {});
    },
  );
};

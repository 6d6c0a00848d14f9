import type { Event } from '@tds/contracts';
import type { MessageContext } from '../broker/message-context.ts';
import { sqlExecutor } from '../db/sql-executor.ts';
import { observe } from '../runtime/observe.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';
import type { ListenerContext } from '../runtime/service.ts';
import { isNewest, versionIn } from './aggregate-versions.ts';
import { handleOnce } from './inbox.ts';
import { readPayload } from './read-payload.ts';

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

export type NoticeOutcome =
  | { readonly handled: true }
  /** Not `isReadable` if no repetition by this release can help. */
  | { readonly handled: false; readonly isReadable: boolean; readonly error: unknown };

/**
 * Runs a listener for one event; failures are an answer, not an exception. Whatever was handled is in the inbox,
 * even if the listener did not call `once`: what is not there is taken for lost.
 */
export const notifyListener = async (runtime: StoreRuntime, notice: Notice): Promise<NoticeOutcome> => {
  const { event, handler, consumer, messageId, streamSeq, messageContext, signal } = notice;
  const { service, log, pool } = runtime;
  const parsed = readPayload(event, notice.body);
  if ('error' in parsed) return { handled: false, isReadable: false, error: parsed.error };
  let isKnown = false;
  try {
    await observe(
      { kind: 'event', name: event.wireName, service, messageContext, span: 'consumer', log },
      async (record) => {
        record.add({ messageId });
        const { requestId, accountId } = messageContext;
        const message = { consumer, messageId, streamSeq };
        const once: ListenerContext['once'] = async (tx, effect) => {
          await handleOnce(tx, message, effect);
          isKnown = true;
        };
        await handler(parsed.data, {
          requestId,
          accountId,
          signal,
          record,
          messageId,
          once,
          onceIfNewest: (tx, effect) => {
            const version = versionIn(event, parsed.data);
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
    return { handled: true };
  } catch (error) {
    return { handled: false, isReadable: true, error };
  }
};

import type { Event } from '@tds/contracts';
import { sqlExecutor } from '../db/sql-executor.ts';
import { handleOnce } from '../messaging/inbox.ts';
import type { Travelling } from '../messaging/travelling.ts';
import { observe } from '../run/observe.ts';
import type { StoreRuntime } from '../run/runtime.ts';
import type { ListenerContext } from '../service.ts';

export type ListenerHandler = (payload: unknown, context: ListenerContext) => Promise<void>;
export type ListenerHandlers = Readonly<Record<string, ListenerHandler>>;

export type Notice = {
  readonly event: Event;
  readonly handler: ListenerHandler;
  readonly messageId: string;
  /** Where the stream keeps it; null where it did not come from there. */
  readonly streamSeq: number | null;
  readonly body: string;
  readonly travelling: Travelling;
};

export type NoticeOutcome =
  | { readonly handled: true }
  /** `hopeless` where no repetition can help. */
  | { readonly handled: false; readonly hopeless: boolean; readonly error: unknown };

const parsePayload = (event: Event, body: string): { data: unknown } | { error: unknown } => {
  try {
    return { data: event.payload.parse(JSON.parse(body)) };
  } catch (error) {
    return { error };
  }
};

/**
 * Runs a listener for one event; failures are an answer, not an exception. Whatever was heard is in the inbox, also where
 * the listener did not ask to hear it once: what is not there is taken for lost.
 */
export const notifyListener = async (runtime: StoreRuntime, notice: Notice): Promise<NoticeOutcome> => {
  const { event, handler, messageId, streamSeq, travelling } = notice;
  const { service, log, ending, pool } = runtime;
  let hopeless = false;
  let isKnown = false;
  try {
    await observe(
      { kind: 'event', name: event.wireName, service, travelling, span: 'consumer', log },
      async (record) => {
        record.add({ messageId });
        const parsed = parsePayload(event, notice.body);
        hopeless = 'error' in parsed;
        if ('error' in parsed) throw parsed.error;
        const { requestId, accountId } = travelling;
        const message = { consumer: event.subject, messageId, streamSeq };
        await handler(parsed.data, {
          ...{ requestId, accountId, signal: ending, record, messageId },
          once: async (tx, effect) => {
            await handleOnce(tx, message, effect);
            isKnown = true;
          },
        });
        if (!isKnown) await handleOnce(sqlExecutor(pool), message, async () => {});
      },
    );
    return { handled: true };
  } catch (error) {
    return { handled: false, hopeless, error };
  }
};

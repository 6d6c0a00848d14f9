import type { SqlExecutor } from '@tds/base';
import { sqlExecutor } from '@tds/base/internals';
import type { Event } from '@tds/contracts';
import { z } from 'zod';
import type { MessageContext } from '../broker/message-headers.ts';
import type { ListenerContext } from '../context.ts';
import { observe } from '../runtime/observe.ts';
import type { StoreRuntime } from '../runtime/runtime.ts';

/** The version of the aggregate that an event describes. */
type AggregateVersion = { readonly key: string; readonly version: number };

const fields = z.tuple([z.string(), z.int()]);

/** Reads the aggregate's key and version from the payload. Throws if the contract declares none. */
export const versionIn = ({ wireName, aggregate }: Event, payload: unknown): AggregateVersion => {
  if (!aggregate) throw new Error(`the contract of ${wireName} declares no aggregate`);
  const values = payload as Readonly<Record<string, unknown>>;
  const [key, version] = fields.parse([values[aggregate.key], values[aggregate.version]]);
  return { key, version };
};

/** Of two versions at the same time the second waits for the first's commit. */
const REMEMBER = `
  INSERT INTO messaging.aggregate_versions AS known (consumer, aggregate_key, version) VALUES ($1, $2, $3::bigint)
  ON CONFLICT (consumer, aggregate_key) DO UPDATE SET version = excluded.version, seen_at = excluded.seen_at
  WHERE known.version < excluded.version
  RETURNING version`;

/** Whether the listener has not acted upon this version or a newer one; from then on it has, in the caller's transaction. */
export const isNewest = async (
  tx: SqlExecutor,
  consumer: string,
  { key, version }: AggregateVersion,
): Promise<boolean> =>
  (await tx.$queryRawUnsafe<unknown[]>(REMEMBER, consumer, key, String(version))).length === 1;

/** Delivered again, a message may be elsewhere in the stream. */
const REMEMBER_MESSAGE = `
  INSERT INTO messaging.inbox (consumer, message_id, stream_seq) VALUES ($1::text, $2::uuid, $3::bigint)
  ON CONFLICT (consumer, message_id) DO UPDATE SET stream_seq = coalesce(excluded.stream_seq, inbox.stream_seq)
  RETURNING xmax = 0 AS "isNew"`;

type ReceivedMessage = {
  /** Under which name it is remembered as handled. */
  readonly consumer: string;
  readonly messageId: string;
  /** The position in the stream; null if the message did not come from there. */
  readonly streamSeq: number | null;
};

/**
 * Runs `effect` in the caller's transaction unless `consumer` has committed this message before. Of two deliveries at
 * the same time, the second waits for the first's commit and then changes nothing.
 */
export const handleOnce = async (
  tx: SqlExecutor,
  { consumer, messageId, streamSeq }: ReceivedMessage,
  effect: () => Promise<void>,
): Promise<void> => {
  const [row] = await tx.$queryRawUnsafe<{ isNew: boolean }[]>(
    REMEMBER_MESSAGE,
    consumer,
    messageId,
    streamSeq,
  );
  if (row?.isNew) await effect();
};

export type ListenerHandler = (payload: unknown, context: ListenerContext) => Promise<void>;
export type ListenerHandlers = Readonly<Record<string, ListenerHandler>>;

type Notice = ReceivedMessage & {
  readonly event: Event;
  readonly handler: ListenerHandler;
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
  let isRecorded = false;
  return observe(
    { kind: 'event', name: event.wireName, service, messageContext, span: 'consumer', log },
    async (record) => {
      record.add({ messageId });
      const payload = event.payload.parse(JSON.parse(notice.body));
      const { requestId, accountId } = messageContext;
      const message = { consumer, messageId, streamSeq };
      const once: ListenerContext['once'] = async (tx, effect) => {
        await handleOnce(tx, message, effect);
        isRecorded = true;
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
            const isNew = await isNewest(tx, consumer, version);
            record.add({ isNew });
            if (isNew) await effect();
          });
        },
      });
      if (!isRecorded) await handleOnce(sqlExecutor(pool), message, async () => {});
    },
  );
};

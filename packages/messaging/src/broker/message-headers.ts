import { randomUUID } from 'node:crypto';
import { headers, type MsgHdrs } from '@nats-io/nats-core';
import { currentContext, currentTraceparent } from '@tds/base/internals';

/** The context that a saved message carries in `headers`. */
export type MessageContext = {
  readonly requestId: string;
  readonly accountId: string | null;
  readonly traceparent: string | undefined;
};

/** The context that the current command, event or task passes to the messages that it sends. */
export const currentMessageContext = (): MessageContext => {
  const context = currentContext();
  return {
    requestId: context?.requestId ?? randomUUID(),
    accountId: context?.accountId ?? null,
    traceparent: currentTraceparent() ?? context?.traceparent,
  };
};

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Reads saved headers; a message that a SQL function wrote without any begins a request of its own. */
export const readMessageContext = (headers: unknown): MessageContext => {
  const fields = typeof headers === 'object' && headers !== null ? (headers as Record<string, unknown>) : {};
  return {
    requestId: text(fields.requestId) ?? randomUUID(),
    accountId: text(fields.accountId) ?? null,
    traceparent: text(fields.traceparent),
  };
};

const REQUEST_ID = 'X-Request-Id';
const ACCOUNT_ID = 'X-Account-Id';
const TRACE = 'traceparent';
/** Beside Nats-Msg-Id, which only stream and publisher agree upon: it stays the same if a message is published again. */
const MESSAGE_ID = 'X-Message-Id';
/** Milliseconds that are left, not a time of day: clocks differ. */
const DEADLINE = 'X-Deadline-Ms';

/** On an empty answer: the answer follows. */
const HEARTBEAT = 'X-Heartbeat';

/** The headers of a hint, which has no row and no id. */
export const hintHeaders = ({ requestId, accountId, traceparent }: MessageContext): MsgHdrs => {
  const result = headers();
  result.set(REQUEST_ID, requestId);
  if (accountId !== null) result.set(ACCOUNT_ID, accountId);
  if (traceparent !== undefined) result.set(TRACE, traceparent);
  return result;
};

export const eventHeaders = (messageId: string, storedContext: unknown): MsgHdrs => {
  const result = hintHeaders(readMessageContext(storedContext));
  result.set(MESSAGE_ID, messageId);
  return result;
};

export const commandHeaders = (context: MessageContext, deadlineMs: number): MsgHdrs => {
  const result = hintHeaders(context);
  result.set(DEADLINE, String(Math.ceil(deadlineMs)));
  return result;
};

export const heartbeat = (): MsgHdrs => {
  const result = headers();
  result.set(HEARTBEAT, '1');
  return result;
};

export const hasHeartbeat = (source: MsgHdrs | undefined): boolean => source?.has(HEARTBEAT) ?? false;

export const messageContextOf = (source: MsgHdrs | undefined): MessageContext =>
  readMessageContext({
    requestId: source?.get(REQUEST_ID),
    accountId: source?.get(ACCOUNT_ID),
    traceparent: source?.get(TRACE),
  });

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The outbox row's id; undefined for a message that no outbox has sent. */
export const messageIdOf = (source: MsgHdrs | undefined): string | undefined => {
  const id = source?.get(MESSAGE_ID) || source?.get('Nats-Msg-Id');
  return id && UUID.test(id) ? id : undefined;
};

/** Milliseconds that the caller still waits. */
export const readDeadline = (source: MsgHdrs | undefined, fallbackMs: number): number => {
  const ms = Number(source?.get(DEADLINE));
  return ms > 0 ? Math.min(ms, fallbackMs) : fallbackMs;
};

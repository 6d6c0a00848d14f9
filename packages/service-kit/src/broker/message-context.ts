import { randomUUID } from 'node:crypto';
import { currentContext } from '../log/log.ts';
import { currentTraceparent } from '../telemetry/telemetry.ts';

/** What a saved message carries besides its payload, as it lies in `headers`. */
export type MessageContext = {
  readonly requestId: string;
  readonly accountId: string | null;
  readonly traceparent: string | undefined;
};

/** What the current command, event or task gives on to the messages that it sends. */
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
  const given = typeof headers === 'object' && headers !== null ? (headers as Record<string, unknown>) : {};
  return {
    requestId: text(given.requestId) ?? randomUUID(),
    accountId: text(given.accountId) ?? null,
    traceparent: text(given.traceparent),
  };
};

import { headers, type Msg, type MsgHdrs } from '@nats-io/nats-core';
import type { ServiceName } from '@tds/contracts';
import { type Bus, heartbeat } from '@tds/messaging/internals';
import type { Request } from '../commands/requests.ts';

type Callback = (refused: Error | null, answer: Msg) => void;
type Sent = { readonly subject: string; readonly reply: string; readonly waitsMs: string };

const encoded = new TextEncoder();

/** A connection that keeps what is sent, and on which the test answers. */
export const fakeBus = () => {
  const sent: Sent[] = [];
  const inboxes: { subject: string; callback: Callback; close(): void }[] = [];
  const refusedPublish: ((subject: string) => void)[] = [];
  const connects: (() => void)[] = [];
  const disconnects: (() => void)[] = [];
  const broken: { reason: Error | null } = { reason: null };
  const connection = {
    subscribe: (subject: string, { callback }: { callback: Callback }) => {
      const closed = Promise.withResolvers<void>();
      inboxes.push({ subject, callback, close: () => closed.resolve() });
      return { closed: closed.promise };
    },
    publish: (subject: string, _body: string, { reply, headers }: { reply: string; headers: MsgHdrs }) => {
      if (broken.reason) throw broken.reason;
      sent.push({ subject, reply, waitsMs: headers.get('waits-ms') });
    },
  };
  const bus = {
    connection,
    onRefusedPublish: (listener: never) => void refusedPublish.push(listener),
    onConnect: (listener: never) => void connects.push(listener),
    onDisconnect: (listener: never) => void disconnects.push(listener),
  };
  const notifyAll = (listeners: (() => void)[]) => () => listeners.forEach((listener) => void listener());
  const ways = { reconnect: notifyAll(connects), disconnect: notifyAll(disconnects) };
  return { sent, inboxes, refusedPublish, broken, ...ways, bus: bus as unknown as Bus };
};

export const answerTo = (reply: string, text: string, code?: number): Msg =>
  ({
    ...{ subject: reply, data: encoded.encode(text), string: () => text },
    ...(code === undefined ? {} : { headers: { code, has: () => false } }),
  }) as unknown as Msg;

const waiting = (ms: number): MsgHdrs => {
  const result = headers();
  result.set('waits-ms', String(Math.round(ms)));
  return result;
};

const never = new AbortController().signal;
export const requestTo = (owner: ServiceName, subject = `cmd.${owner}.ask`): Request => ({
  command: { owner, subject, isIdempotent: false },
  ...{ body: '{}', headers: waiting, timeoutMs: 5_000, signal: never },
});
export const repeatable: Request = {
  ...requestTo('search'),
  command: { owner: 'search', subject: 'cmd.search.ask', isIdempotent: true },
};

export const signTo = (reply: string): Msg => ({ ...answerTo(reply, ''), headers: heartbeat() }) as Msg;

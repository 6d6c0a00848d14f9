import { randomUUID } from 'node:crypto';
import { type Msg, type MsgHdrs, NoRespondersError, RequestError, TimeoutError } from '@nats-io/nats-core';
import { createDeadline, unlessAborted } from '@tds/base';
import { type Command, LOST_ANSWER_MS, RECEIVER_WAIT_MS, SILENCE_MS } from '@tds/contracts';
import type { Bus } from '@tds/messaging/internals';
import { hasHeartbeat, inboxOf } from '@tds/messaging/internals';

export type Request = {
  readonly command: Pick<Command, 'owner' | 'subject' | 'isIdempotent'>;
  readonly body: string;
  headers(timeoutMs: number): MsgHdrs;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/**
 * Rejects with the library's own errors: `RequestError` if no service answers, `TimeoutError` after the time; or with the
 * signal's reason.
 */
export type Requests = (request: Request) => Promise<Msg>;

type Asked = {
  readonly request: Request;
  readonly reply: string;
  readonly endsAt: number;
  /** Until then it is sent again if no instance receives it. */
  receiverUntil: number;
  /** When the connection broke; null if it was sent since. */
  cutAt: number | null;
  /** An instance may have received it, although none receives it now. */
  mayHaveBegun: boolean;
  pause: NodeJS.Timeout | undefined;
  /** Ends when neither the answer nor a heartbeat has come for too long. */
  silence: NodeJS.Timeout | undefined;
  resolve(answer: Msg): void;
  reject(error: Error): void;
};
type Inbox = { readonly prefix: string; readonly waiting: Map<string, Asked> };
type Connected = Pick<Bus, 'connection'>;

const NO_RESPONDERS = 503;
const SEND_AGAIN_AFTER_MS = 50;

const noReceiver = ({ request: { command }, mayHaveBegun }: Asked): RequestError => {
  const cause = new NoRespondersError(command.subject);
  return new RequestError(cause.message, mayHaveBegun ? {} : { cause });
};

const send = ({ connection }: Connected, { request, reply, endsAt, reject }: Asked): void => {
  try {
    const headers = request.headers(Math.max(1, endsAt - performance.now()));
    connection.publish(request.command.subject, request.body, { headers, reply });
  } catch (error) {
    reject(error as Error);
  }
};

const sendAgain = (bus: Connected, asked: Asked): void => {
  Object.assign(asked, {
    cutAt: null,
    mayHaveBegun: true,
    receiverUntil: performance.now() + RECEIVER_WAIT_MS,
  });
  send(bus, asked);
};

/** The process that has the request may have died, which no one reports. Each time waits longer. */
const repeatAfterSilence = (bus: Connected, asked: Asked, silenceMs = SILENCE_MS): void => {
  if (!asked.request.command.isIdempotent) return;
  asked.silence = setTimeout(() => {
    sendAgain(bus, asked);
    repeatAfterSilence(bus, asked, silenceMs * 2);
  }, silenceMs);
};

/** An instance that reconnects or restarts receives the request a moment later. */
const settle = (bus: Connected, asked: Asked, answer: Msg): void => {
  if (answer.data.length === 0 && hasHeartbeat(answer.headers)) return void asked.silence?.refresh();
  const isAnswer = answer.data.length > 0 || answer.headers?.code !== NO_RESPONDERS;
  if (isAnswer) asked.resolve(answer);
  else if (performance.now() >= asked.receiverUntil) asked.reject(noReceiver(asked));
  else asked.pause = setTimeout(() => send(bus, asked), SEND_AGAIN_AFTER_MS);
};

const rejectAll = ({ waiting }: Inbox, error: Error): void => {
  for (const asked of [...waiting.values()]) asked.reject(error);
};

/** Listens for the answers of one callee; `onRefused` is called if the broker does not let it. */
const openInbox = (bus: Connected, prefix: string, onRefused: () => void): Inbox => {
  const inbox: Inbox = { prefix, waiting: new Map() };
  const subscription = bus.connection.subscribe(`${prefix}*`, {
    callback: (refused, answer) => {
      if (refused) {
        onRefused();
        return rejectAll(inbox, refused);
      }
      const asked = inbox.waiting.get(answer.subject.slice(prefix.length));
      if (asked) settle(bus, asked, answer);
    },
  });
  void subscription.closed.then(() => rejectAll(inbox, new RequestError('the connection is closed')));
  return inbox;
};

/** Sends one request; it ends with the answer to its token, with an error, with its signal, or with its time. */
const ask = async (
  bus: Connected,
  { prefix, waiting }: Inbox,
  token: string,
  request: Request,
): Promise<Msg> => {
  const { timeoutMs, signal } = request;
  const { promise, resolve, reject } = Promise.withResolvers<Msg>();
  const now = performance.now();
  const asked: Asked = {
    ...{ request, reply: prefix + token, endsAt: now + timeoutMs, receiverUntil: now + RECEIVER_WAIT_MS },
    ...{ cutAt: null, mayHaveBegun: false, pause: undefined, silence: undefined, resolve, reject },
  };
  using deadline = createDeadline(timeoutMs, signal, () => new TimeoutError());
  waiting.set(token, asked);
  if (!signal.aborted) {
    send(bus, asked);
    repeatAfterSilence(bus, asked);
  }
  try {
    return await unlessAborted(promise, deadline.signal);
  } finally {
    clearTimeout(asked.pause);
    clearTimeout(asked.silence);
    waiting.delete(token);
  }
};

/**
 * What was in flight when the connection broke: an idempotent request is sent again over the next connection. For all others
 * the answer may still arrive, so they are given up only some time later.
 */
const surviveBreaks = (
  bus: Pick<Bus, 'connection' | 'onConnect' | 'onDisconnect'>,
  inFlight: () => Asked[],
): void => {
  bus.onDisconnect(() => {
    const cutAt = performance.now();
    const cut = inFlight();
    for (const asked of cut) asked.cutAt = cutAt;
    const giveUp = () => {
      for (const asked of cut)
        if (asked.cutAt === cutAt) asked.reject(new Error('the connection to the broker was lost'));
    };
    setTimeout(giveUp, LOST_ANSWER_MS).unref();
  });
  bus.onConnect(() => {
    for (const asked of inFlight()) {
      if (asked.cutAt === null || !asked.request.command.isIdempotent) continue;
      sendAgain(bus, asked);
      asked.silence?.refresh();
    }
  });
};

/**
 * Requests whose answers come to an inbox of the callee's own: no other service may send there, so none can answer in its
 * place, even if it has seen earlier requests.
 */
export const createRequests = (
  bus: Pick<Bus, 'connection' | 'onConnect' | 'onDisconnect' | 'onRefusedPublish'>,
  service: string,
): Requests => {
  const inboxes = new Map<string, Inbox>();
  const inFlight = (): Asked[] => [...inboxes.values()].flatMap(({ waiting }) => [...waiting.values()]);
  let sent = 0;
  const open = (callee: string): Inbox => {
    // The next request tries anew: the right to listen may have been given meanwhile.
    const forget = () => inboxes.delete(callee);
    const inbox = openInbox(bus, `${inboxOf(service, callee)}.${randomUUID()}.`, forget);
    inboxes.set(callee, inbox);
    return inbox;
  };
  bus.onRefusedPublish((subject) => {
    for (const asked of inFlight())
      if (asked.request.command.subject === subject)
        asked.reject(new RequestError(`no right to publish ${subject}`));
  });
  surviveBreaks(bus, inFlight);
  return (request) => {
    const { owner: callee } = request.command;
    const inbox = inboxes.get(callee) ?? open(callee);
    sent += 1;
    return ask(bus, inbox, sent.toString(36), request);
  };
};

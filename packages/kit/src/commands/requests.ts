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

type PendingRequest = {
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
type Inbox = { readonly prefix: string; readonly waiting: Map<string, PendingRequest> };
type Connected = Pick<Bus, 'connection'>;

const NO_RESPONDERS = 503;
const RESEND_AFTER_MS = 50;

const noReceiver = ({ request: { command }, mayHaveBegun }: PendingRequest): RequestError => {
  const cause = new NoRespondersError(command.subject);
  return new RequestError(cause.message, mayHaveBegun ? {} : { cause });
};

const send = ({ connection }: Connected, { request, reply, endsAt, reject }: PendingRequest): void => {
  try {
    const headers = request.headers(Math.max(1, endsAt - performance.now()));
    connection.publish(request.command.subject, request.body, { headers, reply });
  } catch (error) {
    reject(error as Error);
  }
};

const resend = (bus: Connected, pending: PendingRequest): void => {
  Object.assign(pending, {
    cutAt: null,
    mayHaveBegun: true,
    receiverUntil: performance.now() + RECEIVER_WAIT_MS,
  });
  send(bus, pending);
};

/** The process that has the request may have died, which no one reports. Each time waits longer. */
const repeatAfterSilence = (bus: Connected, pending: PendingRequest, silenceMs = SILENCE_MS): void => {
  if (!pending.request.command.isIdempotent) return;
  pending.silence = setTimeout(() => {
    resend(bus, pending);
    repeatAfterSilence(bus, pending, silenceMs * 2);
  }, silenceMs);
};

/** An instance that reconnects or restarts receives the request a moment later. */
const settle = (bus: Connected, pending: PendingRequest, answer: Msg): void => {
  if (answer.data.length === 0 && hasHeartbeat(answer.headers)) return void pending.silence?.refresh();
  const isAnswer = answer.data.length > 0 || answer.headers?.code !== NO_RESPONDERS;
  if (isAnswer) pending.resolve(answer);
  else if (performance.now() >= pending.receiverUntil) pending.reject(noReceiver(pending));
  else pending.pause = setTimeout(() => send(bus, pending), RESEND_AFTER_MS);
};

const rejectAll = ({ waiting }: Inbox, error: Error): void => {
  for (const pending of [...waiting.values()]) pending.reject(error);
};

/** Listens for the answers of one callee; `onRefused` is called if the broker does not let it. */
const openInbox = (bus: Connected, prefix: string, onRefused: () => void): Inbox => {
  const inbox: Inbox = { prefix, waiting: new Map() };
  const subscription = bus.connection.subscribe(`${prefix}*`, {
    callback: (refusal, answer) => {
      if (refusal) {
        onRefused();
        return rejectAll(inbox, refusal);
      }
      const pending = inbox.waiting.get(answer.subject.slice(prefix.length));
      if (pending) settle(bus, pending, answer);
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
  const pending: PendingRequest = {
    ...{ request, reply: prefix + token, endsAt: now + timeoutMs, receiverUntil: now + RECEIVER_WAIT_MS },
    ...{ cutAt: null, mayHaveBegun: false, pause: undefined, silence: undefined, resolve, reject },
  };
  using deadline = createDeadline(timeoutMs, signal, () => new TimeoutError());
  waiting.set(token, pending);
  if (!signal.aborted) {
    send(bus, pending);
    repeatAfterSilence(bus, pending);
  }
  try {
    return await unlessAborted(promise, deadline.signal);
  } finally {
    clearTimeout(pending.pause);
    clearTimeout(pending.silence);
    waiting.delete(token);
  }
};

/**
 * What was in flight when the connection broke: an idempotent request is sent again over the next connection. For all others
 * the answer may still arrive, so they are given up only some time later.
 */
const surviveBreaks = (
  bus: Pick<Bus, 'connection' | 'onConnect' | 'onDisconnect'>,
  inFlight: () => PendingRequest[],
): void => {
  bus.onDisconnect(() => {
    const cutAt = performance.now();
    const interrupted = inFlight();
    for (const pending of interrupted) pending.cutAt = cutAt;
    const giveUp = () => {
      for (const pending of interrupted)
        if (pending.cutAt === cutAt) pending.reject(new Error('the connection to the broker was lost'));
    };
    setTimeout(giveUp, LOST_ANSWER_MS).unref();
  });
  bus.onConnect(() => {
    for (const pending of inFlight()) {
      if (pending.cutAt === null || !pending.request.command.isIdempotent) continue;
      resend(bus, pending);
      pending.silence?.refresh();
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
  const inFlight = (): PendingRequest[] =>
    [...inboxes.values()].flatMap(({ waiting }) => [...waiting.values()]);
  let sequence = 0;
  const open = (callee: string): Inbox => {
    // The next request tries anew: the right to listen may have been given meanwhile.
    const forget = () => inboxes.delete(callee);
    const inbox = openInbox(bus, `${inboxOf(service, callee)}.${randomUUID()}.`, forget);
    inboxes.set(callee, inbox);
    return inbox;
  };
  bus.onRefusedPublish((subject) => {
    for (const pending of inFlight())
      if (pending.request.command.subject === subject)
        pending.reject(new RequestError(`no right to publish ${subject}`));
  });
  surviveBreaks(bus, inFlight);
  return (request) => {
    const { owner: callee } = request.command;
    const inbox = inboxes.get(callee) ?? open(callee);
    sequence += 1;
    return ask(bus, inbox, sequence.toString(36), request);
  };
};

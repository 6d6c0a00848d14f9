import { randomUUID } from 'node:crypto';
import {
  type Msg,
  type MsgHdrs,
  NoRespondersError,
  RequestError,
  type Subscription,
  TimeoutError,
} from '@nats-io/nats-core';
import type { Bus } from '@tds/messaging/internals';
import { inboxOf } from '@tds/messaging/internals';

export type Request = {
  readonly callee: string;
  readonly subject: string;
  readonly body: string;
  readonly headers: MsgHdrs;
  readonly timeoutMs: number;
};

/** Rejects with the library's own errors: `RequestError` if no service answers, `TimeoutError` after the time. */
export type Requests = (request: Request) => Promise<Msg>;

type Waiting = {
  readonly subject: string;
  resolve(answer: Msg): void;
  reject(error: Error): void;
};
type Inbox = { readonly prefix: string; readonly waiting: Map<string, Waiting> };

const NO_RESPONDERS = 503;

const noResponders = (subject: string): RequestError => {
  const cause = new NoRespondersError(subject);
  return new RequestError(cause.message, { cause });
};

const settle = (asked: Waiting, answer: Msg): void => {
  const isAnswer = answer.data.length > 0 || answer.headers?.code !== NO_RESPONDERS;
  if (isAnswer) asked.resolve(answer);
  else asked.reject(noResponders(asked.subject));
};

const rejectAll = ({ waiting }: Inbox, error: Error): void => {
  for (const asked of [...waiting.values()]) asked.reject(error);
};

/** Listens for the answers of one callee; `onRefused` is called if the broker does not let it. */
const openInbox = ({ connection }: Pick<Bus, 'connection'>, prefix: string, onRefused: () => void): Inbox => {
  const inbox: Inbox = { prefix, waiting: new Map() };
  const subscription: Subscription = connection.subscribe(`${prefix}*`, {
    callback: (refused, answer) => {
      if (refused) {
        onRefused();
        return rejectAll(inbox, refused);
      }
      const asked = inbox.waiting.get(answer.subject.slice(prefix.length));
      if (asked) settle(asked, answer);
    },
  });
  void subscription.closed.then(() => rejectAll(inbox, new RequestError('the connection is closed')));
  return inbox;
};

/** Sends one request; it ends with the answer to its token, with an error, or with its time. */
const ask = (
  { connection }: Pick<Bus, 'connection'>,
  { prefix, waiting }: Inbox,
  token: string,
  { subject, body, headers, timeoutMs }: Request,
): Promise<Msg> =>
  new Promise<Msg>((resolve, reject) => {
    const timer = setTimeout(() => asked.reject(new TimeoutError()), timeoutMs);
    const end = () => {
      clearTimeout(timer);
      waiting.delete(token);
    };
    const asked: Waiting = {
      subject,
      resolve: (answer) => {
        end();
        resolve(answer);
      },
      reject: (error) => {
        end();
        reject(error);
      },
    };
    waiting.set(token, asked);
    try {
      connection.publish(subject, body, { headers, reply: prefix + token });
    } catch (error) {
      asked.reject(error as Error);
    }
  });

/**
 * Requests whose answers come to an inbox of the callee's own: no other service may send there, so none can answer in its
 * place, even if it has seen earlier requests.
 */
export const createRequests = (
  bus: Pick<Bus, 'connection' | 'onRefusedPublish'>,
  service: string,
): Requests => {
  const inboxes = new Map<string, Inbox>();
  let sent = 0;
  const open = (callee: string): Inbox => {
    // The next request tries anew: the right to listen may have been given meanwhile.
    const forget = () => inboxes.delete(callee);
    const inbox = openInbox(bus, `${inboxOf(service, callee)}.${randomUUID()}.`, forget);
    inboxes.set(callee, inbox);
    return inbox;
  };
  bus.onRefusedPublish((subject) => {
    for (const inbox of inboxes.values())
      for (const asked of [...inbox.waiting.values()])
        if (asked.subject === subject) asked.reject(new RequestError(`no right to publish ${subject}`));
  });
  return (request) => {
    const inbox = inboxes.get(request.callee) ?? open(request.callee);
    sent += 1;
    return ask(bus, inbox, sent.toString(36), request);
  };
};

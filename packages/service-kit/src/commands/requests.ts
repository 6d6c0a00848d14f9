import { randomUUID } from 'node:crypto';
import {
  type Msg,
  type MsgHdrs,
  NoRespondersError,
  RequestError,
  type Subscription,
  TimeoutError,
} from '@nats-io/nats-core';
import type { Bus } from '../broker/bus.ts';
import { inboxOf } from '../broker/users.ts';

export type Request = {
  readonly callee: string;
  readonly subject: string;
  readonly body: string;
  readonly headers: MsgHdrs;
  readonly timeoutMs: number;
};

/** Rejects with the library's own errors: `RequestError` where nobody answers, `TimeoutError` after the time. */
export type Requests = (request: Request) => Promise<Msg>;

type Waiting = {
  readonly subject: string;
  resolve(answer: Msg): void;
  reject(error: Error): void;
};
type Inbox = { readonly prefix: string; readonly waiting: Map<string, Waiting> };

const NO_RESPONDERS = 503;

const nobodyAnswers = (subject: string): RequestError => {
  const cause = new NoRespondersError(subject);
  return new RequestError(cause.message, { cause });
};

const settle = (asked: Waiting, answer: Msg): void => {
  const isAnswer = answer.data.length > 0 || answer.headers?.code !== NO_RESPONDERS;
  if (isAnswer) asked.resolve(answer);
  else asked.reject(nobodyAnswers(asked.subject));
};

const rejectAll = ({ waiting }: Inbox, error: Error): void => {
  for (const asked of [...waiting.values()]) asked.reject(error);
};

/**
 * Requests whose answers come to an inbox of the callee's own: no other service may send there, so none can answer in its
 * place, whatever it has seen of earlier requests.
 */
export const createRequests = (
  bus: Pick<Bus, 'connection' | 'onRefusedPublish'>,
  service: string,
): Requests => {
  const inboxes = new Map<string, Inbox>();
  let sent = 0;
  const open = (callee: string): Inbox => {
    const prefix = `${inboxOf(service, callee)}.${randomUUID()}.`;
    const inbox: Inbox = { prefix, waiting: new Map() };
    const subscription: Subscription = bus.connection.subscribe(`${prefix}*`, {
      callback: (refused, answer) => {
        if (refused) {
          // The next request tries anew: the right to listen may have been given meanwhile.
          inboxes.delete(callee);
          return rejectAll(inbox, refused);
        }
        const asked = inbox.waiting.get(answer.subject.slice(prefix.length));
        if (asked) settle(asked, answer);
      },
    });
    void subscription.closed.then(() => rejectAll(inbox, new RequestError('the connection is closed')));
    inboxes.set(callee, inbox);
    return inbox;
  };
  bus.onRefusedPublish((subject) => {
    for (const inbox of inboxes.values())
      for (const asked of [...inbox.waiting.values()])
        if (asked.subject === subject) asked.reject(new RequestError(`no right to publish ${subject}`));
  });
  return ({ callee, subject, body, headers, timeoutMs }) => {
    const { prefix, waiting } = inboxes.get(callee) ?? open(callee);
    sent += 1;
    const token = sent.toString(36);
    return new Promise<Msg>((resolve, reject) => {
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
        bus.connection.publish(subject, body, { headers, reply: prefix + token });
      } catch (error) {
        asked.reject(error as Error);
      }
    });
  };
};

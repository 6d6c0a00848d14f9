import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { headers, type Msg, NoRespondersError, RequestError, TimeoutError } from '@nats-io/nats-core';
import type { Bus } from '@tds/messaging/internals';
import { createRequests, type Request, type Requests } from './requests.ts';

type Callback = (refused: Error | null, answer: Msg) => void;
type Sent = { readonly subject: string; readonly reply: string };

const encoded = new TextEncoder();

/** A connection that keeps what is sent, and on which the test answers. */
const fakeBus = () => {
  const sent: Sent[] = [];
  const inboxes: { subject: string; callback: Callback; close(): void }[] = [];
  const refusedPublish: ((subject: string) => void)[] = [];
  const broken: { reason: Error | null } = { reason: null };
  const connection = {
    subscribe: (subject: string, { callback }: { callback: Callback }) => {
      const closed = Promise.withResolvers<void>();
      inboxes.push({ subject, callback, close: () => closed.resolve() });
      return { closed: closed.promise };
    },
    publish: (subject: string, _body: string, { reply }: { reply: string }) => {
      if (broken.reason) throw broken.reason;
      sent.push({ subject, reply });
    },
  };
  const bus = { connection, onRefusedPublish: (listener: never) => void refusedPublish.push(listener) };
  return { sent, inboxes, refusedPublish, broken, bus: bus as unknown as Bus };
};

const answerTo = (reply: string, text: string, code?: number): Msg =>
  ({
    ...{ subject: reply, data: encoded.encode(text), string: () => text },
    ...(code === undefined ? {} : { headers: { code } }),
  }) as unknown as Msg;

const failureOf = (asked: Promise<unknown>): Promise<Error> =>
  asked.then(
    () => Promise.reject(new Error('was answered')),
    (thrown: Error) => thrown,
  );

const to = (callee: string, subject = `cmd.${callee}.ask`): Request => ({
  ...{ callee, subject, body: '{}', headers: headers(), timeoutMs: 5_000 },
});

describe('requests', () => {
  let broker: ReturnType<typeof fakeBus>;
  let requests: Requests;
  beforeEach(() => {
    broker = fakeBus();
    requests = createRequests(broker.bus, 'gateway');
  });
  /** What comes to the inbox that the request named. */
  const receive = (n: number, answer: Msg): void => {
    const inbox = broker.inboxes.find(({ subject }) => answer.subject.startsWith(subject.slice(0, -1)));
    if (!inbox) throw new Error(`no caller waits for the answer to request ${n}`);
    inbox.callback(null, answer);
  };
  const replyOf = (n: number): string => broker.sent[n]?.reply ?? '';

  it('each get their own answer, in whatever order answers come', async () => {
    const asked = [requests(to('search')), requests(to('search')), requests(to('search'))];
    for (const n of [2, 0, 1]) receive(n, answerTo(replyOf(n), `answer ${n}`));
    const answers = await Promise.all(asked);
    expect(answers.map((answer) => answer.string())).toEqual(['answer 0', 'answer 1', 'answer 2']);
  });

  it('listen once for each callee, in a place that belongs to the two of them and cannot be guessed', () => {
    for (const callee of ['search', 'identity', 'search']) void requests(to(callee)).catch(() => {});
    const [forSearch, forIdentity, ...others] = broker.inboxes.map(({ subject }) => subject);
    expect(others).toEqual([]);
    expect(forSearch).toMatch(/^_INBOX_gateway\.search\.[0-9a-f-]{36}\.\*$/);
    expect(forIdentity).toMatch(/^_INBOX_gateway\.identity\.[0-9a-f-]{36}\.\*$/);
    expect(new Set(broker.sent.map(({ reply }) => reply)).size).toBe(3);
    for (const inbox of broker.inboxes) inbox.close();
  });

  it('take no answer twice, and none to what was never asked', async () => {
    const asked = requests(to('search'));
    receive(0, answerTo(`${replyOf(0)}x`, 'to nothing'));
    receive(0, answerTo(replyOf(0), 'first'));
    receive(0, answerTo(replyOf(0), 'second'));
    expect((await asked).string()).toBe('first');
  });

  it('end with the library`s own error if no service answers; any answer is an answer, also an empty one or a 503', async () => {
    const [absent, empty, busy] = [1, 2, 3].map(() => requests(to('search')));
    receive(0, answerTo(replyOf(0), '', 503));
    receive(1, answerTo(replyOf(1), ''));
    receive(2, answerTo(replyOf(2), 'later', 503));
    const error = await failureOf(Promise.resolve(absent));
    expect(error).toBeInstanceOf(RequestError);
    expect(error.cause).toBeInstanceOf(NoRespondersError);
    expect((await empty)?.string()).toBe('');
    expect((await busy)?.string()).toBe('later');
  });

  it('end after their time; a later answer is dropped', async () => {
    jest.useFakeTimers();
    try {
      const asked = requests({ ...to('search'), timeoutMs: 700 });
      const outcome = failureOf(asked);
      await jest.advanceTimersByTimeAsync(699);
      expect(jest.getTimerCount()).toBe(1);
      await jest.advanceTimersByTimeAsync(1);
      expect(await outcome).toBeInstanceOf(TimeoutError);
      receive(0, answerTo(replyOf(0), 'too late'));
    } finally {
      jest.useRealTimers();
    }
  });

  it('leave no timer behind once they are answered', async () => {
    jest.useFakeTimers();
    try {
      const asked = requests(to('search'));
      receive(0, answerTo(replyOf(0), 'here'));
      await asked;
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('end at once if the broker does not let them listen, and the next one tries anew', async () => {
    const refused = requests(to('search'));
    broker.inboxes[0]?.callback(new Error('no right to listen'), answerTo('', ''));
    await expect(refused).rejects.toThrow('no right to listen');
    const allowed = requests(to('search'));
    expect(broker.inboxes).toHaveLength(2);
    receive(1, answerTo(replyOf(1), 'by now'));
    expect((await allowed).string()).toBe('by now');
  });

  it('end at once if the broker does not let them publish; others of the same callee continue', async () => {
    const [refused, other] = [requests(to('search', 'cmd.search.forbidden')), requests(to('search'))];
    for (const listener of broker.refusedPublish) listener('cmd.search.forbidden');
    await expect(refused).rejects.toThrow('no right to publish cmd.search.forbidden');
    receive(1, answerTo(replyOf(1), 'here'));
    expect((await other).string()).toBe('here');
  });

  it('end with the connection, and what cannot be sent ends with the reason', async () => {
    const asked = requests(to('search'));
    broker.inboxes[0]?.close();
    await expect(asked).rejects.toThrow('the connection is closed');
    broker.broken.reason = new Error('draining');
    await expect(requests(to('search'))).rejects.toThrow('draining');
  });
});

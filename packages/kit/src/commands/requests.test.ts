import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Msg, RequestError, TimeoutError } from '@nats-io/nats-core';
import { answerTo, fakeBus, repeatable, signTo, requestTo as to } from '../test-support/fake-broker.ts';
import { createRequests, type Requests } from './requests.ts';

const failureOf = (asked: Promise<unknown>): Promise<Error> =>
  asked.then(
    () => Promise.reject(new Error('was answered')),
    (thrown: Error) => thrown,
  );

describe('requests', () => {
  let broker: ReturnType<typeof fakeBus>;
  let requests: Requests;
  beforeEach(() => {
    broker = fakeBus();
    requests = createRequests(broker.bus, 'gateway');
    jest.useFakeTimers();
  });
  afterEach(() => void jest.useRealTimers());
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
    for (const callee of ['search', 'identity', 'search'] as const) void requests(to(callee)).catch(() => {});
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

  it('end with any answer, also an empty one or a 503', async () => {
    const asked = [requests(to('search')), requests(to('search'))];
    receive(0, answerTo(replyOf(0), ''));
    receive(1, answerTo(replyOf(1), 'later', 503));
    expect((await Promise.all(asked)).map((answer) => answer.string())).toEqual(['', 'later']);
  });

  it('end after their time; a later answer is dropped', async () => {
    const asked = requests({ ...to('search'), timeoutMs: 700 });
    const outcome = failureOf(asked);
    await jest.advanceTimersByTimeAsync(699);
    expect(jest.getTimerCount()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(await outcome).toBeInstanceOf(TimeoutError);
    receive(0, answerTo(replyOf(0), 'too late'));
  });

  it('leave no timer behind once they are answered', async () => {
    const asked = requests(to('search'));
    receive(0, answerTo(replyOf(0), 'here'));
    await asked;
    expect(jest.getTimerCount()).toBe(0);
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

  it('end with their signal, also if it has fired before: then nothing is sent', async () => {
    const caller = new AbortController();
    const asked = failureOf(requests({ ...to('search'), signal: caller.signal }));
    caller.abort(new Error('the caller went away'));
    expect((await asked).message).toBe('the caller went away');
    const late = failureOf(requests({ ...to('search'), signal: caller.signal }));
    expect((await late).message).toBe('the caller went away');
    expect(broker.sent).toHaveLength(1);
  });

  describe('without a receiver', () => {
    const noReceiver = (): Msg => answerTo(broker.sent.at(-1)?.reply ?? '', '', 503);

    it('are sent again until an instance receives them', async () => {
      const asked = requests(to('search'));
      for (const sent of [1, 2, 3]) {
        expect(broker.sent).toHaveLength(sent);
        receive(0, noReceiver());
        await jest.advanceTimersByTimeAsync(50);
      }
      receive(0, answerTo(replyOf(3), 'here'));
      expect((await asked).string()).toBe('here');
      expect(jest.getTimerCount()).toBe(0);
    });

    it('end with the library`s own error after half a second', async () => {
      const outcome = failureOf(requests(to('search')));
      await jest.advanceTimersByTimeAsync(500);
      receive(0, noReceiver());
      const error = await outcome;
      expect(error).toBeInstanceOf(RequestError);
      expect((error as RequestError).isNoResponders()).toBe(true);
    });
  });

  describe('in flight when the connection breaks', () => {
    it('have two seconds for an answer that was under way, and are given up then', async () => {
      const [first, second] = [requests(to('search')), failureOf(requests(to('search')))];
      broker.disconnect();
      broker.reconnect();
      await jest.advanceTimersByTimeAsync(1_900);
      receive(0, answerTo(replyOf(0), 'just in time'));
      expect((await first).string()).toBe('just in time');
      await jest.advanceTimersByTimeAsync(200);
      expect((await second).message).toBe('the connection to the broker was lost');
      expect(broker.sent).toHaveLength(2);
    });

    it('are left alone if they were sent after the break', async () => {
      broker.disconnect();
      const asked = requests(to('search'));
      await jest.advanceTimersByTimeAsync(4_000);
      receive(0, answerTo(replyOf(0), 'over the next one'));
      expect((await asked).string()).toBe('over the next one');
    });

    it('are sent again if they are idempotent, for the time that is left, and after each break', async () => {
      const asked = requests(repeatable);
      for (const sent of [2, 3]) {
        await jest.advanceTimersByTimeAsync(900);
        receive(0, signTo(replyOf(0)));
        await jest.advanceTimersByTimeAsync(600);
        broker.disconnect();
        broker.reconnect();
        expect(broker.sent).toHaveLength(sent);
      }
      await jest.advanceTimersByTimeAsync(300);
      expect(broker.sent.map(({ waitsMs }) => waitsMs)).toEqual(['5000', '3500', '2000']);
      receive(0, answerTo(replyOf(0), 'to the repeat'));
      expect((await asked).string()).toBe('to the repeat');
    });

    it('may have begun, even if no instance receives the repeat', async () => {
      const outcome = failureOf(requests(repeatable));
      broker.disconnect();
      broker.reconnect();
      await jest.advanceTimersByTimeAsync(500);
      receive(0, answerTo(replyOf(0), '', 503));
      const error = await outcome;
      expect(error).toBeInstanceOf(RequestError);
      expect((error as RequestError).isNoResponders()).toBe(false);
    });
  });
});

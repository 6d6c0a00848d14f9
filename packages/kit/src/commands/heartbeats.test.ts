import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Msg } from '@nats-io/nats-core';
import { answerTo, fakeBus, repeatable, signTo, requestTo as to } from '../test-support/fake-broker.ts';
import { createRequests, type Requests } from './requests.ts';

describe('requests to a process that may have died', () => {
  let broker: ReturnType<typeof fakeBus>;
  let requests: Requests;
  beforeEach(() => {
    broker = fakeBus();
    requests = createRequests(broker.bus, 'gateway');
    jest.useFakeTimers();
  });
  afterEach(() => void jest.useRealTimers());
  const receive = (answer: Msg): void => broker.inboxes[0]?.callback(null, answer);
  const replyOf = (n: number): string => broker.sent[n]?.reply ?? '';

  it('are sent again after a second without a heartbeat, and then ever more seldom, if they are idempotent', async () => {
    const asked = requests(repeatable);
    await jest.advanceTimersByTimeAsync(999);
    expect(broker.sent).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(broker.sent).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(broker.sent.map(({ waitsMs }) => waitsMs)).toEqual(['5000', '4000', '2000']);
    receive(answerTo(replyOf(0), 'of the one that lives'));
    expect((await asked).string()).toBe('of the one that lives');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(broker.sent).toHaveLength(3);
  });

  it('are not sent again while their receiver sends heartbeats, or if a repeat could take effect twice', async () => {
    const [asked, other] = [requests(repeatable), requests(to('search'))];
    for (let n = 0; n < 4; n += 1) {
      await jest.advanceTimersByTimeAsync(900);
      receive(signTo(replyOf(0)));
    }
    receive(answerTo(replyOf(0), 'at last'));
    receive(answerTo(replyOf(1), 'once'));
    expect([(await asked).string(), (await other).string()]).toEqual(['at last', 'once']);
    expect(broker.sent).toHaveLength(2);
  });
});

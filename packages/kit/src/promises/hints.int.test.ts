import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { createEventBench, happened } from '../test-support/event-bench.ts';

describe('hints', () => {
  let nats: TestNats;
  const bench = createEventBench(() => nats);
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterEach(() => bench.stopAll());
  afterAll(async () => {
    await bench.dropKept();
    await nats?.stop();
  });

  // Hints are saved nowhere.
  const startEmitter = async () => bench.startEmitter(await bench.keptUrl('status'));
  const startReceiver = async (handler: (payload: { n: number }) => Promise<void>) =>
    bench.startReceiver(handler, await bench.keptUrl('search'));
  /** An emitter, and what two instances of a receiver have been hinted at. */
  const startReceivers = async () => {
    const received: [number[], number[]] = [[], []];
    const [emitter] = await Promise.all([
      startEmitter(),
      ...received.map((numbers) => startReceiver(async ({ n }) => void numbers.push(n))),
    ]);
    return { emitter, received };
  };

  it('reach every running instance, and are saved nowhere', async () => {
    const { emitter, received } = await startReceivers();
    emitter.kit.messaging.hint(happened, { n: 1 });
    await eventually(() => expect(received).toEqual([[1], [1]]));
    expect(await emitter.sql('SELECT FROM messaging.outbox')).toEqual([]);
  });

  it('are checked by the contract before they leave', async () => {
    const { emitter, received } = await startReceivers();
    expect(() => emitter.kit.messaging.hint(happened, { n: 'many' } as never)).toThrow();
    emitter.kit.messaging.hint(happened, { n: 2 });
    await eventually(() => expect(received).toEqual([[2], [2]]));
  });

  it('that one receiver cannot handle reach the next one, and those that come after', async () => {
    const numbers: number[] = [];
    const [emitter] = await Promise.all([
      startEmitter(),
      startReceiver(async ({ n }) => {
        if (n === 1) throw new Error('no luck');
        numbers.push(n);
      }),
    ]);
    for (const n of [1, 2]) emitter.kit.messaging.hint(happened, { n });
    await eventually(() => expect(numbers).toEqual([2]));
  });
});

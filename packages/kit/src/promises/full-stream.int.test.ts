import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BROKERS, eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { createEventBench, type Emitter, emit, unpublished } from '../test-support/event-bench.ts';

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n);
const inOrder = (given: readonly number[]) => given.toSorted((a, b) => a - b);

describe.each(BROKERS)('a stream that is full, on the %s broker', (broker) => {
  let nats: TestNats;
  const bench = createEventBench(() => nats);
  beforeAll(async () => {
    nats = await startTestNats({ broker });
  });
  afterEach(async () => {
    await bench.stopAll();
    await nats.wipe();
  });
  afterAll(() => nats.stop());

  const start = (environment: NodeJS.ProcessEnv, databaseUrl?: string): Promise<Emitter> =>
    bench.startEmitter(databaseUrl, environment);
  const emitAll = async (emitter: Emitter, all: readonly number[]) => {
    for (const n of all) await emit(emitter, n);
  };
  const isFull = async (emitter: Emitter) => (await emitter.kit.metrics.streamFull.get()).values[0]?.value;
  const failures = (emitter: Emitter) => emitter.sql('SELECT FROM messaging.outbox WHERE failures > 0');

  it('makes events wait in the outbox, fails no transaction, and says so in a metric', async () => {
    const { seen } = await bench.startCounting({ EVENTS_MAX_MESSAGES: '5' });
    const emitter = await start({ EVENTS_MAX_MESSAGES: '5' });
    await emitAll(emitter, numbers(12));
    await eventually(async () => expect(await isFull(emitter)).toBe(1));
    await eventually(async () => expect(await unpublished(emitter)).toHaveLength(7));
    await eventually(() => expect(seen).toHaveLength(5));
    expect(await failures(emitter)).toEqual([]);
    expect((await emitter.kit.metrics.streamMost.get()).values).toContainEqual({
      labels: { what: 'messages' },
      value: 5,
    });
  });

  it('drains the outbox by itself when it may keep more, each event once', async () => {
    const { url } = await bench.database();
    const { seen } = await bench.startCounting({ EVENTS_MAX_MESSAGES: '5' });
    const first = await start({ EVENTS_MAX_MESSAGES: '5' }, url);
    await emitAll(first, numbers(300));
    await eventually(async () => expect(await isFull(first)).toBe(1));
    await first.stop();
    const second = await start({ EVENTS_MAX_MESSAGES: '1000' }, url);
    await eventually(() => expect(inOrder(seen)).toEqual(numbers(300)));
    await eventually(async () => expect(await unpublished(second)).toEqual([]));
    expect(await isFull(second)).toBe(0);
    await emitAll(second, [300]);
    await eventually(() => expect(inOrder(seen)).toEqual(numbers(301)));
  });

  it('drains the outbox by itself, without a restart, when there is room: the oldest waited for first', async () => {
    const { seen } = await bench.startCounting({ EVENTS_MAX_MESSAGES: '5' });
    const emitter = await start({ EVENTS_MAX_MESSAGES: '5' });
    await emitAll(emitter, numbers(8));
    await eventually(async () => expect(await isFull(emitter)).toBe(1));
    await eventually(() => expect(inOrder(seen)).toEqual(numbers(5)));
    await bench.purge('EVT_status');
    await eventually(() => expect(inOrder(seen)).toEqual(numbers(8)));
    await eventually(async () => expect(await isFull(emitter)).toBe(0));
    expect(await unpublished(emitter)).toEqual([]);
  });

  it('that is set to forget its oldest takes everything', async () => {
    const emitter = await start({ EVENTS_MAX_MESSAGES: '5', EVENTS_WHEN_FULL: 'forget-oldest' });
    await emitAll(emitter, numbers(12));
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
    expect(await isFull(emitter)).toBe(0);
  });
});

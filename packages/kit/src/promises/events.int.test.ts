import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import type { ListenerContext } from '@tds/messaging';
import { listDeadLetters, replayDeadLetter, republishSince } from '@tds/messaging/admin';
import { buryEvent } from '@tds/messaging/internals';
import { dueRows, eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { createEventBench, emit, happened, type Subscriber, unpublished } from '../test-support/event-bench.ts';

describe('events', () => {
  let nats: TestNats;
  const bench = createEventBench(() => nats);
  const { startCounting, startEmitter, startSubscriber, startReceiver } = bench;
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterEach(async () => {
    await bench.stopAll();
    await nats.wipe();
  });
  afterAll(() => nats.stop());

  it('leave with the commit and reach subscribers and receivers of broadcasts with their ids', async () => {
    const watched = Promise.withResolvers<number>();
    const handled = Promise.withResolvers<ListenerContext>();
    await startSubscriber(async (_payload, context) => handled.resolve(context));
    await startReceiver(async ({ n }) => watched.resolve(n));
    const emitter = await startEmitter();
    await emit(emitter, 1);
    const [row] = await emitter.sql<{ id: string; headers: { requestId: string } }>(
      'SELECT * FROM messaging.outbox',
    );
    expect(await watched.promise).toBe(1);
    expect(await handled.promise).toMatchObject({ messageId: row?.id, requestId: row?.headers.requestId });
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
  });

  it('never leave when the transaction is rolled back', async () => {
    const { seen } = await startCounting();
    const emitter = await startEmitter();
    const failing = emitter.kit.messaging.transaction(emitter.client, async (_tx, send) => {
      await send.emit(happened, { n: 1 });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await emit(emitter, 2);
    await eventually(() => expect(seen).toEqual([2]));
    expect(await emitter.sql('SELECT FROM messaging.outbox')).toHaveLength(1);
  });

  it('with a wrong payload roll their transaction back', async () => {
    const emitter = await startEmitter();
    await expect(emit(emitter, 'one' as never)).rejects.toThrow();
    expect(await emitter.sql('SELECT FROM messaging.outbox')).toEqual([]);
  });

  it('take effect once though they are delivered many times, at once and without the stream noticing', async () => {
    const { seen, subscriber } = await startCounting();
    const messageId = '0197d2a0-0000-7000-8000-000000000001';
    const other = await connect({ servers: nats.servers });
    const manager = await jetstreamManager(other);
    const consumer = () => manager.consumers.info('EVT_status', 'archiver__thing-happened');
    await eventually(consumer);
    for (let copy = 0; copy < 30; copy += 1) {
      const given = headers();
      given.set('X-Message-Id', messageId);
      other.publish(happened.subject, '{"n":1}', { headers: given });
    }
    await other.flush();
    await eventually(async () => {
      const { num_pending, num_ack_pending, delivered } = await consumer();
      expect([num_pending, num_ack_pending, delivered.stream_seq]).toEqual([0, 0, 30]);
    });
    expect(seen).toEqual([1]);
    expect(await subscriber.sql('SELECT FROM messaging.inbox')).toHaveLength(1);
    await other.close();
  });

  it('take effect when the first try failed', async () => {
    let tries = 0;
    const seen: number[] = [];
    const subscriber: Subscriber = await startSubscriber(({ n }, { once }) =>
      subscriber.client.$transaction((tx) =>
        once(tx, async () => {
          tries += 1;
          if (tries === 1) throw new Error('not yet');
          seen.push(n);
        }),
      ),
    );
    await emit(await startEmitter(), 1);
    await eventually(() => expect(seen).toEqual([1]));
    expect(tries).toBe(2);
  });

  it('whose listener fails come again after pauses that grow, so that an outage does not use up their deliveries', async () => {
    const tries: number[] = [];
    await startSubscriber(async () => {
      tries.push(performance.now());
      if (tries.length < 4) throw new Error('the database is away');
    });
    await emit(await startEmitter(), 1);
    await eventually(() => expect(tries).toHaveLength(4));
    const pauses = tries.slice(1).map((at, n) => at - (tries[n] as number));
    for (const [n, leastMs] of [200, 1_000, 2_000].entries()) {
      expect(pauses[n]).toBeGreaterThan(0.9 * leastMs);
    }
  });

  it('whose listener fails twice hold up no other: they wait as tasks, and are dead letters of their own in the end', async () => {
    const seen: number[] = [];
    const subscriber = await startSubscriber(async ({ n }) => {
      if (n === 0) throw new Error('never');
      seen.push(n);
    });
    const emitter = await startEmitter();
    await emit(emitter, 0);
    const waiting = () => subscriber.sql(`SELECT state FROM messaging.tasks WHERE name = 'kit-replay-event'`);
    await eventually(async () => expect(await waiting()).toEqual([{ state: 'ready' }]));
    const other = await connect({ servers: nats.servers });
    const consumers = (await jetstreamManager(other)).consumers;
    await eventually(async () => {
      const { num_ack_pending } = await consumers.info('EVT_status', 'archiver__thing-happened');
      expect(num_ack_pending).toBe(0);
    });
    await other.close();
    await emit(emitter, 1);
    await eventually(() => expect(seen).toEqual([1]));
    const tasks = dueRows('archiver', (text, values) => subscriber.sql(text, ...values));
    await tasks.makeDueAfterAttempts('messaging.tasks', 8);
    await eventually(async () => expect(await waiting()).toEqual([{ state: 'done' }]));
    expect(await listDeadLetters(subscriber.kit.db)).toMatchObject([
      {
        kind: 'event',
        source: happened.subject,
        payload: { n: 0 },
        reason: expect.stringContaining('never'),
      },
    ]);
  });

  it('that were given up are handled by their listener when they are replayed', async () => {
    const { seen, subscriber } = await startCounting();
    const { db } = subscriber.kit;
    const messageId = '0197d2a0-0000-7000-8000-000000000001';
    const failed = { headers: {}, reason: 'no luck', attempts: 11 };
    await buryEvent(db, { subject: happened.subject, messageId, payload: '{"n":1}', ...failed });
    const [letter] = await listDeadLetters(db);
    expect(await replayDeadLetter(db, letter?.id ?? '')).toBe(true);
    await eventually(() => expect(seen).toEqual([1]));
    expect(await listDeadLetters(db)).toEqual([]);
  });

  it('are published by one of two relays, and nothing is left', async () => {
    const { seen } = await startCounting();
    const { url } = await bench.database();
    const [one, two] = await Promise.all([startEmitter(url), startEmitter(url)]);
    const numbers = Array.from({ length: 300 }, (_, n) => n);
    await Promise.all(numbers.map((n) => emit(n % 2 ? one! : two!, n)));
    await eventually(() => expect(seen.toSorted((a, b) => a - b)).toEqual(numbers));
    await eventually(async () => expect(await unpublished(one!)).toEqual([]));
  });

  it('that are published again by hand take effect once', async () => {
    const { seen } = await startCounting();
    const emitter = await startEmitter();
    await emit(emitter, 1);
    await eventually(() => expect(seen).toEqual([1]));
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
    expect(await republishSince(emitter.kit.db, new Date(Date.now() - 60_000))).toBe(1);
    emitter.kit.messaging.wake();
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
    await emit(emitter, 2);
    await eventually(() => expect(seen).toEqual([1, 2]));
  });
});

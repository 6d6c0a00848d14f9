import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { defineSurface, event } from '@tds/contracts';
import { eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { z } from 'zod';
import type { ListenerContext } from '../service.ts';
import { createTestBench, type TestService } from '../testing/test-services.ts';
import { listDeadLetters, replayDeadLetter } from './dead-letters.ts';
import { republishSince } from './housekeeping.ts';

const happened = event({ owner: 'status', name: 'thing-happened', payload: z.object({ n: z.number() }) });
const emitting = defineSurface({ name: 'status', emits: [happened] });
const hearing = defineSurface({ name: 'archiver', hears: [happened] });
const watching = defineSurface({ name: 'search', watches: [happened] });

type Emitter = TestService<typeof emitting>;
type Hearer = TestService<typeof hearing>;
type Listener = (payload: { n: number }, context: ListenerContext) => Promise<void>;

const emit = (service: Emitter, n: number) =>
  service.kit.messaging.transaction(service.client, (_tx, send) => send.emit(happened, { n }));
const unpublished = (service: Emitter) =>
  service.sql('SELECT id FROM messaging.outbox WHERE published_at IS NULL');

describe('events', () => {
  const bench = createTestBench();
  let nats: TestNats;
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterEach(async () => {
    await bench.stopAll();
    await nats.wipe();
  });
  afterAll(() => nats.stop());

  const startEmitter = (databaseUrl?: string): Promise<Emitter> =>
    bench.start({
      surface: emitting,
      handlers: {},
      natsUrl: nats.servers,
      ...(databaseUrl ? { databaseUrl } : {}),
    });
  const startHearer = (listener: Listener, databaseUrl?: string): Promise<Hearer> =>
    bench.start({
      surface: hearing,
      handlers: { listeners: { 'thing-happened': listener } },
      natsUrl: nats.servers,
      ...(databaseUrl ? { databaseUrl } : {}),
    });
  /** A listener whose effect is a row, so that doubled effects are seen. */
  const startCounting = async () => {
    const seen: number[] = [];
    const hearer: Hearer = await startHearer(({ n }, { once }) =>
      hearer.client.$transaction((tx) => once(tx, async () => void seen.push(n))),
    );
    return { seen, hearer };
  };

  it('leave with the commit and reach listeners and watchers with their ids', async () => {
    const watched = Promise.withResolvers<number>();
    const heard = Promise.withResolvers<ListenerContext>();
    await startHearer(async (_payload, context) => heard.resolve(context));
    await bench.start({
      surface: watching,
      handlers: { watchers: { 'thing-happened': async ({ n }: { n: number }) => watched.resolve(n) } },
      natsUrl: nats.servers,
    });
    const emitter = await startEmitter();
    await emit(emitter, 1);
    const [row] = await emitter.sql<{ id: string; headers: { requestId: string } }>(
      'SELECT * FROM messaging.outbox',
    );
    expect(await watched.promise).toBe(1);
    expect(await heard.promise).toMatchObject({ messageId: row?.id, requestId: row?.headers.requestId });
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

  it('all leave, each heard once, though the broker was away at the commit', async () => {
    const { seen } = await startCounting();
    const emitter = await startEmitter();
    await nats.kill();
    for (let n = 0; n < 20; n += 1) await emit(emitter, n);
    expect(await unpublished(emitter)).toHaveLength(20);
    await nats.start();
    await eventually(
      () => expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n)),
      {
        withinMs: 5_000,
      },
    );
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
  }, 20_000);

  it('take effect once though they are delivered many times, at once and without the stream noticing', async () => {
    const { seen, hearer } = await startCounting();
    const messageId = '0197d2a0-0000-7000-8000-000000000001';
    const other = await connect({ servers: nats.servers });
    const manager = await jetstreamManager(other);
    const consumer = () => manager.consumers.info('EVENTS', 'archiver__thing-happened');
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
    expect(await hearer.sql('SELECT FROM messaging.inbox')).toHaveLength(1);
    await other.close();
  });

  it('take effect when the first try failed', async () => {
    let tries = 0;
    const seen: number[] = [];
    const hearer: Hearer = await startHearer(({ n }, { once }) =>
      hearer.client.$transaction((tx) =>
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

  it('that no listener can read are kept as dead letters and can be replayed', async () => {
    const { seen, hearer } = await startCounting();
    const emitter = await startEmitter();
    await emitter.sql(`SELECT messaging.emit('${happened.subject}', '{"n": "poison"}')`);
    emitter.kit.messaging.wake();
    const letter = await eventually(async () => {
      const [found] = await listDeadLetters(hearer.kit.db);
      expect(found).toMatchObject({ kind: 'event', source: happened.subject, payload: { n: 'poison' } });
      return found!;
    });
    await emit(emitter, 2);
    await eventually(() => expect(seen).toEqual([2]));
    await hearer.sql(`UPDATE messaging.dead_letters SET payload = '{"n": 1}'`);
    expect(await replayDeadLetter(hearer.kit.db, letter.id)).toBe(true);
    await eventually(() => expect(seen).toEqual([2, 1]));
    expect(await listDeadLetters(hearer.kit.db)).toEqual([]);
  });

  it('are published by one of two relays, and nothing is left', async () => {
    const { seen } = await startCounting();
    const { url } = await bench.database();
    const [one, two] = await Promise.all([startEmitter(url), startEmitter(url)]);
    const numbers = Array.from({ length: 300 }, (_, n) => n);
    await Promise.all(numbers.map((n) => emit(n % 2 ? one! : two!, n)));
    await eventually(() => expect(seen.toSorted((a, b) => a - b)).toEqual(numbers), { withinMs: 10_000 });
    expect(await unpublished(one!)).toEqual([]);
  }, 20_000);

  it('are heard within five seconds after the broker was restarted or lost its store', async () => {
    const { seen } = await startCounting();
    const emitter = await startEmitter();
    await emit(emitter, 1);
    await eventually(() => expect(seen).toEqual([1]));
    await nats.kill();
    await nats.start();
    await emit(emitter, 2);
    await eventually(() => expect(seen).toEqual([1, 2]), { withinMs: 5_000 });
    await nats.wipe();
    await emit(emitter, 3);
    await eventually(() => expect(seen).toEqual([1, 2, 3]), { withinMs: 5_000 });
  }, 30_000);

  it('are heard again after the broker was frozen', async () => {
    const { seen } = await startCounting();
    const emitter = await startEmitter();
    await emit(emitter, 0);
    await eventually(() => expect(seen).toEqual([0]));
    nats.pause();
    await emit(emitter, 1);
    // Long enough for publishing and pulling to give up.
    await eventually(
      async () => {
        const metrics = await (await fetch(`${emitter.addresses.health}/metrics`)).text();
        expect(metrics).toMatch(/tds_publish_errors_total\{[^}]*\} [1-9]/);
      },
      { withinMs: 8_000 },
    );
    nats.resume();
    await eventually(() => expect(seen).toEqual([0, 1]), { withinMs: 5_000 });
  }, 30_000);

  it('that a broker had acknowledged before it was wiped reach a listener that comes later', async () => {
    const emitter = await startEmitter();
    for (let n = 0; n < 5; n += 1) await emit(emitter, n);
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
    await nats.wipe();
    await emit(emitter, 5);
    const { seen } = await startCounting();
    await eventually(() => expect(seen.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]));
  }, 20_000);

  it('that a rolled back broker has forgotten are published again, others are not', async () => {
    const { seen } = await startCounting();
    const emitter = await startEmitter();
    for (let n = 0; n < 3; n += 1) await emit(emitter, n);
    await eventually(() => expect(seen.toSorted()).toEqual([0, 1, 2]));
    // As if the store had been put back to a copy from before the last two.
    const other = await connect({ servers: nats.servers });
    const manager = await jetstreamManager(other);
    await manager.streams.delete('EVENTS');
    await other.close();
    await emitter.sql(`UPDATE messaging.outbox SET stream_seq = NULL WHERE payload ->> 'n' = '0'`);
    await nats.kill();
    await nats.start();
    await eventually(async () => {
      const rows = await emitter.sql<{ n: string }>(
        `SELECT payload ->> 'n' AS n FROM messaging.outbox WHERE failures = 1`,
      );
      expect(rows.map(({ n }) => n).toSorted()).toEqual(['1', '2']);
    });
    await emit(emitter, 3);
    await eventually(() => expect(seen.toSorted()).toEqual([0, 1, 2, 3]));
  }, 20_000);

  it('that are published again by hand take effect once', async () => {
    const { seen } = await startCounting();
    const emitter = await startEmitter();
    await emit(emitter, 1);
    await eventually(() => expect(seen).toEqual([1]));
    expect(await republishSince(emitter.kit.db, new Date(Date.now() - 60_000))).toBe(1);
    emitter.kit.messaging.wake();
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
    await emit(emitter, 2);
    await eventually(() => expect(seen).toEqual([1, 2]));
  });

  it('that the broker never takes do not hold up the others', async () => {
    const { seen } = await startCounting();
    const emitter = await startEmitter();
    await emitter.sql(
      `SELECT messaging.emit('evt.status.thing-happened.v1', to_jsonb(repeat('x', 2000000)))`,
    );
    for (let n = 0; n < 3; n += 1) await emit(emitter, n);
    await eventually(() => expect(seen.toSorted()).toEqual([0, 1, 2]), { withinMs: 3_000 });
    expect(await unpublished(emitter)).toHaveLength(1);
  });
});

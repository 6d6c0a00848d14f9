import { cpSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { BROKERS, eventually, startTestNats, type TestNats } from '@tds/test-kit';
import { createEventBench, emit, unpublished } from '../test-support/event-bench.ts';

describe.each(BROKERS)('events, on the %s broker', (broker) => {
  let nats: TestNats;
  const bench = createEventBench(() => nats);
  const { startCounting, startEmitter } = bench;
  beforeAll(async () => {
    nats = await startTestNats({ broker });
  });
  afterEach(async () => {
    await bench.stopAll();
    await nats.wipe();
  });
  afterAll(() => nats.stop());

  it('all leave, each handled once, though the broker was away at the commit', async () => {
    const { seen } = await startCounting();
    const emitter = await startEmitter();
    await nats.kill();
    for (let n = 0; n < 20; n += 1) await emit(emitter, n);
    expect(await unpublished(emitter)).toHaveLength(20);
    await nats.start();
    await eventually(() =>
      expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n)),
    );
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
  });

  it('are received within five seconds after the broker was restarted or lost its store', async () => {
    const { seen } = await startCounting();
    const emitter = await startEmitter();
    await emit(emitter, 1);
    await eventually(() => expect(seen).toEqual([1]));
    await nats.kill();
    await nats.start();
    await emit(emitter, 2);
    await eventually(() => expect(seen).toEqual([1, 2]));
    await nats.wipe();
    await emit(emitter, 3);
    await eventually(() => expect(seen).toEqual([1, 2, 3]));
  });

  it('are received again after the broker was frozen', async () => {
    const { seen } = await startCounting();
    const emitter = await startEmitter();
    await emit(emitter, 0);
    await eventually(() => expect(seen).toEqual([0]));
    nats.pause();
    let last = 0;
    await eventually(
      async () => {
        // A signal takes a moment: the first one may still get through.
        last += 1;
        await emit(emitter, last);
        const metrics = await (await fetch(`${emitter.addresses.health}/metrics`)).text();
        expect(metrics).toMatch(/tds_publish_errors_total\{[^}]*\} [1-9]/);
      },
      { everyMs: 200 },
    );
    nats.resume();
    const all = Array.from({ length: last + 1 }, (_, n) => n);
    await eventually(() => expect(seen.toSorted((a, b) => a - b)).toEqual(all));
  });

  it('that a broker had acknowledged before it was wiped reach a listener that comes later', async () => {
    const emitter = await startEmitter();
    for (let n = 0; n < 5; n += 1) await emit(emitter, n);
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
    await nats.wipe();
    await emit(emitter, 5);
    const { seen } = await startCounting();
    await eventually(() => expect(seen.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]));
  });

  it('that a rolled back broker has forgotten are published again, others are not', async () => {
    const { seen } = await startCounting();
    const emitter = await startEmitter();
    for (let n = 0; n < 3; n += 1) await emit(emitter, n);
    await eventually(() => expect(seen.toSorted()).toEqual([0, 1, 2]));
    // An event is marked as published a moment after it is received.
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
    // As if the store had been put back to a copy from before the last two.
    const other = await connect({ servers: nats.servers });
    const manager = await jetstreamManager(other);
    await manager.streams.delete('EVT_status');
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
  });

  it.each([
    ['knows', (_consumer: string) => {}],
    ['has only a file that says', (consumer: string) => rmSync(path.join(consumer, 'meta.inf'))],
  ])(
    'are received from a broker that %s how far a listener had come, and has lost what lay there',
    async (_, forget) => {
      const { seen } = await startCounting();
      const emitter = await startEmitter();
      const messages = nats.messagesDir('EVT_status');
      await emit(emitter, 0);
      await eventually(() => expect(seen).toEqual([0]));
      await nats.shutDown();
      cpSync(messages, `${messages}.old`, { recursive: true });
      await nats.start();
      for (let n = 1; n < 9; n += 1) await emit(emitter, n);
      await eventually(() => expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]));
      await nats.shutDown();
      rmSync(messages, { recursive: true });
      renameSync(`${messages}.old`, messages);
      forget(path.join(path.dirname(messages), 'obs/archiver__thing-happened'));
      // Nothing is published again, so that only the listener can notice.
      await emitter.sql('UPDATE messaging.outbox SET stream_seq = NULL');
      await nats.start();
      await emit(emitter, 9);
      await eventually(() => expect(seen.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    },
  );

  it('that the broker never takes do not hold up the others', async () => {
    const { seen } = await startCounting();
    const emitter = await startEmitter();
    await emitter.sql(`SELECT messaging.emit('evt.status.thing-happened.v1', to_jsonb(repeat('x', 2000000)))`);
    for (let n = 0; n < 3; n += 1) await emit(emitter, n);
    await eventually(() => expect(seen.toSorted()).toEqual([0, 1, 2]));
    // What was handled is marked a moment later, many at once.
    await eventually(async () => expect(await unpublished(emitter)).toHaveLength(1));
  });

  it('are each handled once through ten deaths of the broker', async () => {
    const { seen } = await startCounting();
    const emitter = await startEmitter();
    for (let n = 0; n < 100; n += 1) {
      if (n % 10 === 5) {
        await nats.kill();
        await nats.start();
      }
      await emit(emitter, n);
    }
    const all = Array.from({ length: 100 }, (_, n) => n);
    await eventually(() => expect(seen.toSorted((a, b) => a - b)).toEqual(all));
    await eventually(async () => expect(await unpublished(emitter)).toEqual([]));
    expect(seen).toHaveLength(100);
  });
});

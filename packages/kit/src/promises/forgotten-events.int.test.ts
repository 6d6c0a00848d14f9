import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from '@tds/base/internals';
import type { StoreRuntime } from '@tds/messaging/internals';
import { type Bus, connectBus, findLostEvents } from '@tds/messaging/internals';
import { BROKERS, startTestNats, type TestDatabase, type TestNats } from '@tds/test-kit';
import pg from 'pg';
import { createEffectsBench, emitAll, query } from '../test-support/effects-bench.ts';
import { subscribing } from '../test-support/event-bench.ts';

const service = 'archiver';

type Parts = { readonly pool: pg.Pool; readonly bus: Bus };

describe.each(BROKERS)('events that a database which went back in time lacks, on the %s broker', (broker) => {
  let nats: TestNats;
  const bench = createEffectsBench(() => nats);
  const { startEmitter, withEffects, startRecording, handled, search, replays, acknowledged } = bench;
  beforeAll(async () => {
    nats = await startTestNats({ broker });
  });
  afterEach(async () => {
    await bench.stopAll();
    await nats.wipe();
  });
  afterAll(() => nats.stop());

  /** A service that only searches, with a pool or a bus of the test's making. */
  const startSearching = async (
    { url }: TestDatabase,
    metrics: StoreRuntime['metrics'],
    own: (parts: Parts) => Partial<Parts>,
  ) => {
    const log = createLog({ service, level: 'silent' });
    const bus = await connectBus({ service, url: nats.servers, log });
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const runtime = { service, surface: subscribing, log, metrics, bus, pool, ...own({ pool, bus }) };
    return {
      search: () => findLostEvents(runtime as unknown as StoreRuntime, new AbortController().signal),
      [Symbol.asyncDispose]: async () => {
        await pool.end();
        await bus.close();
      },
    };
  };

  /** A database that has lost all events but the first of five, in a service that runs no longer. */
  const losing = async () => {
    const database = await withEffects();
    const { kit, stop } = await startRecording(database);
    const emitter = await startEmitter();
    await emitAll(emitter, 1);
    await handled(database, 1);
    await acknowledged(1);
    await search(database);
    await emitAll(emitter, 2, 3, 4, 5);
    await handled(database, 1, 2, 3, 4, 5);
    await acknowledged(5);
    await stop();
    await query(
      database.url,
      `UPDATE messaging.positions SET stream_seq = 1, anchor_seq = 1,
         anchor_id = (SELECT message_id FROM messaging.inbox WHERE stream_seq = 1)`,
    );
    await query(database.url, 'DELETE FROM messaging.inbox WHERE stream_seq > 1');
    return { database, metrics: kit.metrics };
  };

  it('are reported if the stream forgets them meanwhile, and what it still keeps is handled again', async () => {
    const { database, metrics } = await losing();
    // The stream was looked at, and the database was not.
    const happening = ({ pool }: Parts) => {
      const query = async (text: string, values: unknown[]) => {
        await bench.purge('EVT_status', 4);
        return pool.query(text, values);
      };
      return { pool: Object.create(pool, { query: { value: query } }) };
    };
    await using searching = await startSearching(database, metrics, happening);
    await searching.search();
    expect((await metrics.eventGaps.get()).values).toMatchObject([{ value: 1 }]);
    expect(await replays(database)).toHaveLength(2);
  });

  it('are all found if the broker first places the reader on a server that lags behind', async () => {
    const { database, metrics } = await losing();
    let placements = 0;
    const lagging = ({ bus }: Parts) => {
      const jetstreamManager = async () => {
        const manager = await bus.jetstream.jetstreamManager(false);
        const add: typeof manager.consumers.add = async (stream, config) => {
          const info = await manager.consumers.add(stream, config);
          placements += 1;
          // Of three servers the third has all.
          const cluster = { name: 'brokers', leader: `n${placements % 3}` };
          return { ...info, cluster, num_pending: placements % 3 === 0 ? info.num_pending : 0 };
        };
        const info: typeof manager.streams.info = async (stream, options) => {
          const found = await manager.streams.info(stream, options);
          return { ...found, cluster: { name: 'brokers', leader: 'n0' } };
        };
        const consumers = Object.create(manager.consumers, { add: { value: add } });
        const streams = Object.create(manager.streams, { info: { value: info } });
        return Object.create(manager, { consumers: { value: consumers }, streams: { value: streams } });
      };
      const jetstream = Object.create(bus.jetstream, { jetstreamManager: { value: jetstreamManager } });
      return { bus: { ...bus, jetstream } };
    };
    await using searching = await startSearching(database, metrics, lagging);
    await searching.search();
    expect(await replays(database)).toHaveLength(4);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from '@tds/base/internals';
import type { StoreRuntime } from '@tds/messaging/internals';
import { connectBus, findLostEvents } from '@tds/messaging/internals';
import { startTestNats, type TestDatabase, type TestNats } from '@tds/test-kit';
import pg from 'pg';
import { createEffectsBench, emitAll, query } from '../test-support/effects-bench.ts';
import { subscribing } from '../test-support/event-bench.ts';

const service = 'archiver';

describe('events that the stream forgets while a database that went back in time searches for them', () => {
  let nats: TestNats;
  const bench = createEffectsBench(() => nats);
  const { startEmitter, withEffects, startRecording, handled, search, replays, acknowledged } = bench;
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterEach(() => bench.stopAll());
  afterAll(() => nats.stop());

  /** A search in whose middle something happens: when it has looked at the stream, and not yet at the database. */
  const searchWhile = async (
    { url }: TestDatabase,
    metrics: StoreRuntime['metrics'],
    happens: () => Promise<void>,
  ): Promise<void> => {
    const log = createLog({ service, level: 'silent' });
    const bus = await connectBus({ service, url: nats.servers, log });
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const behind: pg.Pool = Object.create(pool, {
      query: {
        value: async (text: string, values: unknown[]) => {
          await happens();
          return pool.query(text, values);
        },
      },
    });
    const runtime = { service, surface: subscribing, bus, log, metrics, pool: behind };
    await findLostEvents(runtime as unknown as StoreRuntime, new AbortController().signal);
    await pool.end();
    await bus.close();
  };

  it('are reported, and what the stream still keeps is handled again', async () => {
    const database = await withEffects();
    const { kit, stop } = await startRecording(database);
    const emitter = await startEmitter();
    await emitAll(emitter, 1);
    await handled(database, 1);
    await acknowledged(1);
    await search(database);
    await emitAll(emitter, 2, 3, 4);
    await handled(database, 1, 2, 3, 4);
    await acknowledged(4);
    // From here on no other instance searches.
    await stop();
    await query(
      database.url,
      `UPDATE messaging.positions SET stream_seq = 1, anchor_seq = 1,
         anchor_id = (SELECT message_id FROM messaging.inbox WHERE stream_seq = 1)`,
    );
    await query(database.url, 'DELETE FROM messaging.inbox WHERE stream_seq > 1');
    await searchWhile(database, kit.metrics, () => bench.purge('EVT_status', 4));
    expect((await kit.metrics.eventGaps.get()).values).toMatchObject([{ value: 1 }]);
    expect(await replays(database)).toHaveLength(1);
  });
});

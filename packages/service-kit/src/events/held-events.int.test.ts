import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { defineContract, defineSurface, type Event } from '@tds/contracts';
import { eventually, startTestNats, type TestNats } from '@tds/test-kit';
import pg from 'pg';
import { z } from 'zod';
import type { StoreRuntime } from '../runtime/runtime.ts';
import type { ListenerContext } from '../runtime/service.ts';
import { createTestBench, type TestService } from '../test-support/test-services.ts';
import { listDeadLetters } from './dead-letters.ts';
import { createHeldEventSearch, holdEvent, listHeldEvents } from './held-events.ts';

const tells = (n: z.ZodType) =>
  defineContract('status', { events: { thingHappened: { payload: z.object({ n }) } } });
const hears = (thingHappened: Event<'thingHappened'>) =>
  defineSurface(defineContract('archiver', {}), { subscriptions: [thingHappened] });

/** Two releases of one service: the next one also reads what is said in words. */
const status = tells(z.union([z.number(), z.string()]));
const [older, next] = [hears(tells(z.number()).thingHappened), hears(status.thingHappened)];
const { subject } = status.thingHappened;

describe('an event that a release cannot read', () => {
  let nats: TestNats;
  const bench = createTestBench();
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterEach(async () => {
    await bench.stopAll();
    await nats.wipe();
  });
  afterAll(() => nats.stop());

  const startRelease = async (surface: typeof older, databaseUrl: string) => {
    const seen: unknown[] = [];
    const thingHappened = async (payload: unknown, { once }: ListenerContext) => {
      await service.client.$transaction((tx) =>
        once(tx, async () => void seen.push((payload as { n: unknown }).n)),
      );
    };
    const service: TestService<typeof surface> = await bench.start({
      surface,
      handlers: { subscriptions: { thingHappened } },
      natsUrl: nats.servers,
      databaseUrl,
      heldEverySeconds: 1,
    });
    return { seen, service };
  };
  const startEmitter = async () => {
    const emitter = await bench.start({
      surface: defineSurface(status),
      handlers: {},
      natsUrl: nats.servers,
    });
    return async (...numbers: unknown[]) => {
      for (const n of numbers) await emitter.sql('SELECT messaging.emit($1, $2)', subject, { n });
      emitter.kit.messaging.wake();
    };
  };

  it('is held while others are handled, counted, and handled once by the next release', async () => {
    const { url } = await bench.database();
    const { seen, service } = await startRelease(older, url);
    const emit = await startEmitter();
    await emit('seven', 8);
    await eventually(() => expect(seen).toEqual([8]));
    const held = await eventually(async () => {
      const found = await listHeldEvents(service.kit.db);
      expect(found).toMatchObject([{ subject, payload: { n: 'seven' } }]);
      return found;
    });
    expect(held[0]?.reason).toContain('expected number');
    const counted = (await service.kit.metrics.eventsHeld.get()).values;
    expect(counted).toMatchObject([{ value: 1, labels: { name: 'thing-happened' } }]);
    expect(await listDeadLetters(service.kit.db)).toEqual([]);
    await service.stop();
    const upgraded = await startRelease(next, url);
    await eventually(() => expect(upgraded.seen).toEqual(['seven']));
    expect(await listHeldEvents(upgraded.service.kit.db)).toEqual([]);
  });

  it('is handled once by the new one of two releases that run beside one another', async () => {
    const { url } = await bench.database();
    const [before, after] = await Promise.all([startRelease(older, url), startRelease(next, url)]);
    const emit = await startEmitter();
    const words = Array.from({ length: 40 }, (_, n) => `word ${n}`);
    await emit(...words);
    await eventually(() => expect(after.seen.toSorted()).toEqual(words.toSorted()), { withinMs: 60_000 });
    expect(before.seen).toEqual([]);
    const open = `SELECT FROM messaging.tasks WHERE state <> 'done'`;
    await eventually(async () => expect(await after.service.sql(open)).toEqual([]));
    expect(await listHeldEvents(after.service.kit.db)).toEqual([]);
    expect(after.seen).toHaveLength(words.length);
  });

  it('is not lost between one that holds it once more and one that hands it over', async () => {
    const pool = new pg.Pool({ connectionString: (await bench.database()).url, max: 3 });
    const key = { subject, messageId: '0197d2a0-0000-7000-8000-000000000001' };
    const held = { ...key, streamSeq: 1, payload: '{"n":"seven"}', headers: {}, reason: 'no' };
    const replay = `SELECT messaging.enqueue_once('kit-replay-event', $1, '{}')`;
    await pool.query(replay, [`${key.subject} ${key.messageId}`]);
    await holdEvent(pool, held);
    const client = await pool.connect();
    await client.query('BEGIN');
    await holdEvent(client, held);
    const handingOver = createHeldEventSearch({ pool, surface: next } as unknown as StoreRuntime)(
      new AbortController().signal,
    );
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => expect((await pool.query(waiting)).rows).toHaveLength(1));
    await client.query(`UPDATE messaging.tasks SET state = 'done', finished_at = now()`);
    await client.query('COMMIT');
    client.release();
    expect(await handingOver).toBe(1);
    const { rows } = await pool.query(
      `SELECT payload ->> 'messageId' AS id FROM messaging.tasks WHERE state = 'ready'`,
    );
    expect(rows).toEqual([{ id: key.messageId }]);
    await pool.end();
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@tds/test-kit';
import pg from 'pg';
import { createInstruments } from '../instruments.ts';
import type { StoreRuntime } from '../run/runtime.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { createFirstHand } from './first-hand.ts';

const row = (id: string) => ({ id, subject: 'evt.a', payload: 'true', headers: {} });

describe('events that are published first hand', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase('messaging');
    pool = new pg.Pool({ connectionString: database.url, max: 2 });
    pool.on('error', () => {});
  });
  beforeEach(async () => {
    await pool.query('DELETE FROM messaging.outbox');
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const save = async (): Promise<string> =>
    (await pool.query(`SELECT messaging.emit_held('evt.a', 'true', '{}', 1000) AS id`)).rows[0].id;
  const marked = async (): Promise<number> =>
    (await pool.query('SELECT FROM messaging.outbox WHERE published_at IS NOT NULL')).rowCount ?? 0;
  /** A stream that acknowledges when it is told to. */
  const openFirstHand = (connected = { yes: true }) => {
    const acknowledging: PromiseWithResolvers<{ seq: number }>[] = [];
    const jetstream = {
      publish: () => {
        const asked = Promise.withResolvers<{ seq: number }>();
        acknowledging.push(asked);
        return asked.promise;
      },
    };
    const firstHand = createFirstHand({
      ...{ pool, metrics: createInstruments(createMetrics('status', { processMetrics: false })) },
      bus: { jetstream, isConnected: () => connected.yes },
    } as unknown as StoreRuntime);
    return { firstHand, acknowledging, connected };
  };

  it('are marked once the stream has acknowledged them, and before the process ends', async () => {
    const { firstHand, acknowledging } = openFirstHand();
    firstHand.publish([row(await save()), row(await save())]);
    acknowledging[0]?.resolve({ seq: 1 });
    await eventually(async () => expect(await marked()).toBe(1));
    const stopped = firstHand.stop();
    acknowledging[1]?.resolve({ seq: 2 });
    await stopped;
    expect(await marked()).toBe(2);
  });

  it('stay the relay`s where the stream has not acknowledged them', async () => {
    const { firstHand, acknowledging } = openFirstHand();
    firstHand.publish([row(await save())]);
    acknowledging[0]?.reject(new Error('no answer'));
    await firstHand.stop();
    expect(await marked()).toBe(0);
  });

  it('count as not published where a store that may be lost acknowledged them, and none is marked behind the audit', async () => {
    const { firstHand, acknowledging } = openFirstHand();
    firstHand.publish([row(await save())]);
    acknowledging[0]?.resolve({ seq: 1 });
    await acknowledging[0]?.promise;
    await firstHand.forget();
    await firstHand.stop();
    expect(await marked()).toBe(0);
  });

  it('are left to the relay while the broker is away, while too many are under way, and when the process ends', async () => {
    const { firstHand, acknowledging, connected } = openFirstHand();
    expect(firstHand.holdMs()).toBeGreaterThan(0);
    connected.yes = false;
    expect(firstHand.holdMs()).toBeNull();
    connected.yes = true;
    firstHand.publish(Array.from({ length: 500 }, (_, n) => row(String(n))));
    expect(firstHand.holdMs()).toBeNull();
    for (const { reject } of acknowledging) reject(new Error('no answer'));
    await eventually(() => expect(firstHand.holdMs()).toBeGreaterThan(0));
    await firstHand.stop();
    expect(firstHand.holdMs()).toBeNull();
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createInstruments, createMetrics } from '@tds/base/internals';
import { createTestDatabase, eventually, type TestDatabase } from '@tds/test-kit';
import pg from 'pg';
import type { StoreRuntime } from '../runtime/runtime.ts';
import { createImmediatePublisher } from './publish.ts';

const row = (id: string) => ({ id, subject: 'evt.a', payload: 'true', headers: {} });

describe('events that are published at once, by the process that committed them', () => {
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
    (
      await pool.query(`
        INSERT INTO messaging.outbox (subject, payload, held_until)
        VALUES ('evt.a', 'true', clock_timestamp() + interval '1 second') RETURNING id`)
    ).rows[0].id;
  const marked = async (): Promise<number> =>
    (await pool.query('SELECT FROM messaging.outbox WHERE published_at IS NOT NULL')).rowCount ?? 0;
  /** A stream that acknowledges when the test says so. */
  const openFirstHand = (connected = { yes: true }) => {
    const acknowledging: PromiseWithResolvers<{ seq: number }>[] = [];
    const jetstream = {
      publish: () => {
        const asked = Promise.withResolvers<{ seq: number }>();
        acknowledging.push(asked);
        return asked.promise;
      },
    };
    let reconnected = () => {};
    const onConnect = (listener: () => void) => {
      reconnected = listener;
      return () => {};
    };
    const immediatePublisher = createImmediatePublisher({
      pool,
      metrics: createInstruments(createMetrics('status', { processMetrics: false })),
      bus: { jetstream, onConnect, isConnected: () => connected.yes },
    } as unknown as StoreRuntime);
    return { immediatePublisher, acknowledging, connected, reconnect: () => reconnected() };
  };

  it('are marked once the stream has acknowledged them, and before the process ends', async () => {
    const { immediatePublisher, acknowledging } = openFirstHand();
    immediatePublisher.publish([row(await save()), row(await save())]);
    acknowledging[0]?.resolve({ seq: 1 });
    await eventually(async () => expect(await marked()).toBe(1));
    const stopped = immediatePublisher.stop();
    acknowledging[1]?.resolve({ seq: 2 });
    await stopped;
    expect(await marked()).toBe(2);
  });

  it('are left to the relay if the stream has not acknowledged them', async () => {
    const { immediatePublisher, acknowledging } = openFirstHand();
    immediatePublisher.publish([row(await save())]);
    acknowledging[0]?.reject(new Error('no answer'));
    await immediatePublisher.stop();
    expect(await marked()).toBe(0);
  });

  it('count as not published if the connection was lost since the acknowledgement, as the store may be', async () => {
    const { immediatePublisher, acknowledging, reconnect } = openFirstHand();
    immediatePublisher.publish([row(await save())]);
    acknowledging[0]?.resolve({ seq: 1 });
    await acknowledging[0]?.promise;
    reconnect();
    await immediatePublisher.stop();
    expect(await marked()).toBe(0);
  });

  it('are left to the relay while the broker is away, while too many are under way, and when the process ends', async () => {
    const { immediatePublisher, acknowledging, connected } = openFirstHand();
    expect(immediatePublisher.eventLeaseMs()).toBeGreaterThan(0);
    connected.yes = false;
    expect(immediatePublisher.eventLeaseMs()).toBeNull();
    connected.yes = true;
    immediatePublisher.publish(Array.from({ length: 500 }, (_, n) => row(String(n))));
    expect(immediatePublisher.eventLeaseMs()).toBeNull();
    for (const { reject } of acknowledging) reject(new Error('no answer'));
    await eventually(() => expect(immediatePublisher.eventLeaseMs()).toBeGreaterThan(0));
    await immediatePublisher.stop();
    expect(immediatePublisher.eventLeaseMs()).toBeNull();
  });
});

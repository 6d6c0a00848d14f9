import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { headers } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { sqlExecutor } from '@tds/base/internals';
import { defineContract, defineSurface } from '@tds/contracts';
import type { ListenerContext } from '@tds/messaging';
import { isNewest, versionIn } from '@tds/messaging/internals';
import { eventually, startTestNats, type TestNats } from '@tds/test-kit';
import pg from 'pg';
import { z } from 'zod';
import { createTestBench, type TestService } from '../testing/test-bench.ts';

const { thingChanged } = defineContract('status', {
  events: {
    thingChanged: {
      payload: z.object({ id: z.string(), version: z.int() }),
      aggregate: { key: 'id', version: 'version' },
    },
  },
});
const surface = defineSurface(defineContract('archiver', {}), { subscriptions: [thingChanged] });
type Change = readonly [id: string, version: number];

describe('versions of aggregates', () => {
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

  /** Two instances that note, in the order of the commits, what they act upon. */
  const startTwo = async () => {
    const database = await bench.database();
    const owner = new pg.Client({ connectionString: database.ownerUrl });
    await owner.connect();
    await owner.query('CREATE TABLE effects (place serial, id text, version int)');
    await owner.end();
    const start = async () => {
      const act = async (change: { id: string; version: number }, { onceIfNewest }: ListenerContext) => {
        const note = 'INSERT INTO effects (id, version) VALUES ($1, $2)';
        await service.client.$transaction((tx) =>
          onceIfNewest(tx, async () => void (await tx.$executeRawUnsafe(note, change.id, change.version))),
        );
      };
      const service: TestService<typeof surface> = await bench.start({
        surface,
        handlers: { subscriptions: { thingChanged: act } },
        natsUrl: nats.servers,
        databaseUrl: database.url,
      });
      return service;
    };
    const [service] = await Promise.all([start(), start()]);
    const effects = (id: string) =>
      service.sql<{ version: number }>('SELECT version FROM effects WHERE id = $1 ORDER BY place', id);
    return {
      versions: async (id: string) => (await effects(id)).map(({ version }) => version),
      received: async () => (await service.sql('SELECT FROM messaging.inbox')).length,
    };
  };
  /** Each as a message of its own, `copies` times. */
  const tell = async (changes: readonly Change[], copies = 1) => {
    const connection = await connect({ servers: nats.servers });
    const broker = jetstream(connection);
    for (const [id, version] of changes) {
      const given = headers();
      given.set('X-Message-Id', crypto.randomUUID());
      const payload = JSON.stringify({ id, version });
      // The stream is there in a moment.
      for (let copy = 0; copy < copies; copy += 1)
        await eventually(() => broker.publish(thingChanged.subject, payload, { headers: given }));
    }
    await connection.close();
  };

  it('older than one that was acted upon change nothing, nor does the same one again', async () => {
    const { versions, received } = await startTwo();
    await tell([['a', 3]], 2);
    await eventually(async () => expect(await versions('a')).toEqual([3]));
    const late: Change[] = [
      ['a', 1],
      ['a', 2],
      ['a', 3],
      ['b', 1],
    ];
    await tell(late, 2);
    await eventually(async () => expect(await received()).toBe(5));
    await tell([['a', 5]]);
    await eventually(async () => expect(await versions('a')).toEqual([3, 5]));
    expect(await versions('b')).toEqual([1]);
  });

  it('end in the newest one, in whatever order and however often they come to several instances', async () => {
    const { versions, received } = await startTwo();
    const ids = ['a', 'b', 'c', 'd'];
    const changes = Array.from({ length: 100 }, (_, n): Change => [ids[n % 4] ?? '', 1 + ((n * 37) % 100)]);
    const newest = (id: string) =>
      Math.max(...changes.filter(([of]) => of === id).map(([, version]) => version));
    await tell(changes, 3);
    await eventually(async () => expect(await received()).toBe(100));
    for (const id of ids) {
      const seen = await versions(id);
      expect(seen).toEqual(seen.toSorted((one, other) => one - other));
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.at(-1)).toBe(newest(id));
    }
  });

  it('are remembered with the effect only', async () => {
    const pool = new pg.Pool({ connectionString: (await bench.database()).url });
    const change = { key: 'a', version: 2 };
    const client = await pool.connect();
    await client.query('BEGIN');
    expect(await isNewest(sqlExecutor(client), 'evt.a', change)).toBe(true);
    await client.query('ROLLBACK');
    client.release();
    expect(await isNewest(sqlExecutor(pool), 'evt.a', change)).toBe(true);
    expect(await isNewest(sqlExecutor(pool), 'evt.a', change)).toBe(false);
    expect(await isNewest(sqlExecutor(pool), 'evt.b', change)).toBe(true);
    await pool.end();
  });

  it('are rejected if the contract declares none', () => {
    const { simple } = defineContract('status', { events: { simple: { payload: z.object({}) } } });
    expect(() => versionIn(simple, {})).toThrow('the contract of simple declares no aggregate');
  });
});

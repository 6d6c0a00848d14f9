import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from '@tds/base/internals';
import { defineContract, defineSurface, toolSurface } from '@tds/contracts';
import { HAS_ALL_EMITTED_EVENTS } from '@tds/messaging';
import { connectBus, findOwnLostEvents, type StoreRuntime } from '@tds/messaging/internals';
import { BROKERS, eventually, startTestNats, type TestDatabase, type TestNats } from '@tds/test-kit';
import pg from 'pg';
import { z } from 'zod';
import { query } from '../test-support/effects-bench.ts';
import { runSchedule } from '../test-support/run-schedule.ts';
import { createTestBench, type TestService } from '../testing/test-bench.ts';

const identity = defineContract('identity', {
  events: {
    keyRevoked: { payload: z.object({ n: z.number() }) },
    keyCreated: { payload: z.object({ n: z.number() }) },
  },
});
const surface = defineSurface(identity);
type Identity = TestService<typeof surface>;

describe.each(BROKERS)('an emitter whose database goes back, on the %s broker', (broker) => {
  let nats: TestNats;
  const bench = createTestBench();
  beforeAll(async () => {
    nats = await startTestNats({ broker });
  });
  afterEach(async () => {
    await bench.stopAll();
    await nats.wipe();
  });
  afterAll(() => nats.stop());

  const withKeys = async (): Promise<TestDatabase> => {
    const database = await bench.database();
    await query(database.ownerUrl, 'CREATE TABLE revoked (n int)');
    return database;
  };
  const revoke = (service: Identity, n: number) =>
    service.kit.messaging.transaction(service.client, async (tx, send) => {
      await tx.$executeRawUnsafe('INSERT INTO revoked VALUES ($1)', n);
      await send.emit(identity.keyRevoked, { n });
      await send.emit(identity.keyCreated, { n });
    });
  /** Revokes again what it has emitted, once; the first time it fails. */
  const startIdentity = async ({ url }: TestDatabase): Promise<Identity> => {
    let failures = 0;
    const service: Identity = await bench.start({
      surface,
      natsUrl: nats.servers,
      databaseUrl: url,
      handlers: {
        onOwnLostEvents: {
          keyRevoked: async ({ n }, { once }) => {
            if (failures++ === 0) throw new Error('not yet');
            await service.client.$transaction((tx) =>
              once(tx, async () => void (await tx.$executeRawUnsafe('INSERT INTO revoked VALUES ($1)', n))),
            );
          },
        },
      },
    });
    return service;
  };
  const revoked = async ({ url }: TestDatabase) =>
    (await query<{ n: number }>(url, 'SELECT n FROM revoked ORDER BY n')).map(({ n }) => n);
  const untilPublished = ({ url }: TestDatabase) =>
    eventually(async () =>
      expect(await query(url, 'SELECT FROM messaging.outbox WHERE published_at IS NULL')).toEqual([]),
    );
  const audit = ({ url }: TestDatabase) =>
    runSchedule({ sql: (text, ...values) => query(url, text, values) }, 'kit-audit-outbox');
  /** An identity that has emitted the events of one key, and searched for lost ones. */
  const withOneKey = async () => {
    const database = await withKeys();
    const service = await startIdentity(database);
    await revoke(service, 1);
    await untilPublished(database);
    await audit(database);
    return { database, service };
  };
  /** The search of a process without schedules, with its own way to connect. */
  const searchIn = async ({ url }: TestDatabase, connect: (pool: pg.Pool) => Promise<pg.PoolClient>) => {
    const log = createLog({ service: 'identity', level: 'silent' });
    const bus = await connectBus({ service: 'identity', url: nats.servers, log });
    const pool = new pg.Pool({ connectionString: url });
    pool.on('error', () => {});
    const own = { pool: { query: pool.query.bind(pool), connect: () => connect(pool) }, bus, log };
    const metrics = { ownLostEvents: { inc: () => {} } };
    const runtime = { service: 'identity', surface, metrics, ...own } as unknown as StoreRuntime;
    return {
      search: (signal = new AbortController().signal) => findOwnLostEvents(runtime, new Set(), signal),
      end: async () => {
        await pool.end();
        await bus.close();
      },
    };
  };
  const lost = async ({ kit }: Identity) =>
    (await kit.metrics.ownLostEvents.get()).values.map(({ labels, value }) => [labels.name, value]);

  it('is offered each event that others have heard and it knows nothing of, until it has dealt with it once', async () => {
    const { database, service } = await withOneKey();
    const copy = await bench.copyOf(database);
    await eventually(() => revoke(service, 2));
    await revoke(service, 3);
    await untilPublished(database);
    await audit(database);
    await copy.putBack();
    await eventually(async () => expect(await revoked(database)).toEqual([1, 2, 3]));
    expect(await lost(service)).toEqual([
      ['key-revoked', 2],
      ['key-created', 2],
    ]);
    await audit(database);
    const open = `SELECT FROM messaging.tasks WHERE state <> 'done'`;
    await eventually(async () => expect(await query(database.url, open)).toEqual([]));
    expect(await revoked(database)).toEqual([1, 2, 3]);
  });

  it('has them in its outbox again, as they were, and then knows what it emitted', async () => {
    const { database, service } = await withOneKey();
    const copy = await bench.copyOf(database);
    await eventually(() => revoke(service, 2));
    await untilPublished(database);
    const emitted = 'SELECT id, subject, payload, stream_seq FROM messaging.outbox ORDER BY id';
    const before = await query(database.url, emitted);
    await copy.putBack();
    await eventually(async () => expect(await revoked(database)).toEqual([1, 2]));
    await eventually(async () =>
      expect(await query(database.url, `SELECT ${HAS_ALL_EMITTED_EVENTS} AS knows`)).toEqual([{ knows: true }]),
    );
    expect(await query(database.url, emitted)).toEqual(before);
  });

  it('finds them also if the database goes back between a look at it and the position that follows', async () => {
    const { database, service: first } = await withOneKey();
    await first.stop();
    const copy = await bench.copyOf(database);
    const second = await startIdentity(database);
    await eventually(() => revoke(second, 2));
    await untilPublished(database);
    await second.stop();
    // The position is that of the copy: nothing else tells the two states from each other.
    const same = `UPDATE messaging.positions SET stream_seq = 2 WHERE consumer = 'EVT_identity'`;
    await query(database.ownerUrl, same);
    let putBack: (() => Promise<void>) | undefined = copy.putBack;
    const own = await searchIn(database, async (pool) => {
      await putBack?.();
      putBack = undefined;
      return pool.connect();
    });
    await expect(own.search()).rejects.toThrow('the database was restored');
    expect(await own.search()).toBe(2);
    await own.end();
  });

  it('has not been searched by a run that was cut off', async () => {
    const { database, service } = await withOneKey();
    const copy = await bench.copyOf(database);
    await eventually(() => revoke(service, 2));
    await untilPublished(database);
    await service.stop();
    await copy.putBack();
    const own = await searchIn(database, (pool) => pool.connect());
    const cutOff = AbortSignal.abort(new Error('the lease is lost'));
    await expect(own.search(cutOff)).rejects.toThrow('the lease is lost');
    expect(await own.search()).toBe(2);
    await own.end();
  });

  it("is offered them also if a tool ran first, which leaves the service's work alone", async () => {
    const { database, service } = await withOneKey();
    const copy = await bench.copyOf(database);
    await eventually(() => revoke(service, 2));
    await untilPublished(database);
    await service.stop();
    await copy.putBack();
    const own = { natsUrl: nats.servers, databaseUrl: database.url, handlers: {} };
    const tool = await bench.start({ surface: toolSurface(identity), ...own });
    await tool.kit.messaging.transaction(tool.client, (_tx, send) => send.emit(identity.keyCreated, { n: 3 }));
    await untilPublished(database);
    await tool.stop();
    await startIdentity(database);
    await eventually(async () => expect(await revoked(database)).toEqual([1, 2]));
  });

  it('finds nothing while its outbox has all that it emitted', async () => {
    const database = await withKeys();
    const service = await startIdentity(database);
    for (let n = 0; n < 20; n += 1) await revoke(service, n);
    await untilPublished(database);
    await audit(database);
    expect(await lost(service)).toEqual([]);
    const position = `SELECT stream_seq::int AS seq FROM messaging.positions WHERE consumer = 'EVT_identity'`;
    expect(await query(database.url, position)).toEqual([{ seq: 40 }]);
  });

  it('goes on with versions above all that others have seen', async () => {
    const database = await withKeys();
    const next = async (version: number) =>
      (await query<{ next: string }>(database.url, 'SELECT messaging.next_version($1) AS next', [version]))[0]
        ?.next;
    const emitted = Number(await next(1));
    expect(emitted).toBeGreaterThan(1_700_000_000_000);
    expect(Number(await next(0))).toBeGreaterThanOrEqual(emitted);
    expect(await next(emitted + 1_000_000)).toBe(String(emitted + 1_000_001));
  });
});

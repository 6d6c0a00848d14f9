import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { BROKER_WAIT_MS, defineContract, defineSurface, type Surface } from '@tds/contracts';
import type { Context } from '@tds/messaging';
import { createTestObjects } from '@tds/objects/testing';
import { eventually, sharedRedisUrl, startTestNats, type TestNats } from '@tds/test-kit';
import { z } from 'zod';
import type { Kit } from '../service.ts';
import { createCaller, testContext } from '../testing/caller.ts';
import { createTestBench } from '../testing/test-bench.ts';
import { startService } from './run-service.ts';

const anything = z.object({});
const status = defineContract('status', {
  commands: { ask: { request: anything, reply: anything } },
  tasks: {
    work: { payload: anything, leaseMs: 30_000, backoffMs: [100], concurrency: 2, timeLimitMs: null },
  },
  events: { happened: { payload: anything } },
});
const surface = defineSurface(status, { subscriptions: [status.happened] });
const nothing = { commands: {}, tasks: {}, subscriptions: {}, broadcasts: {}, schedules: {} };
const withoutCommands = defineSurface(defineContract('archiver', {}));

type Ready = { status: number; ready: boolean; stopping?: boolean; checks: Record<string, string> };

const readyAt = async (address: string | undefined): Promise<Ready> => {
  const response = await fetch(`${address}/ready`);
  return { status: response.status, ...((await response.json()) as Omit<Ready, 'status'>) };
};

describe('a running service', () => {
  let nats: TestNats;
  const bench = createTestBench();
  beforeAll(async () => {
    nats = await startTestNats();
  });
  afterEach(() => bench.stopAll());
  afterAll(() => nats.stop());

  const withoutDatabase = async (): Promise<NodeJS.ProcessEnv> => ({
    NATS_URL: nats.servers,
    REDIS_URL: await sharedRedisUrl(),
    LOG_LEVEL: 'silent',
  });
  type Work = (payload: object, context: Context) => Promise<void>;
  const start = (
    work: Work = async () => {},
    more: { databaseUrl?: string; environment?: NodeJS.ProcessEnv } = {},
  ) =>
    bench.start({
      surface,
      natsUrl: nats.servers,
      handlers: {
        commands: { ask: async () => ({}) },
        tasks: { work },
        subscriptions: { happened: async () => {} },
      },
      ...more,
    });

  it('is ready when its database, the broker and every consumer are, and its tasks begin', async () => {
    const { addresses } = await start();
    const checks = {
      database: 'ok',
      broker: 'ok',
      tasks: 'ok',
      rights: 'ok',
      'consumer status__happened': 'ok',
    };
    await eventually(async () =>
      expect(await readyAt(addresses.health)).toMatchObject({ status: 200, checks }),
    );
  });

  it('is not ready while the broker is away, and is again when it is back', async () => {
    const { addresses } = await start();
    await eventually(async () => expect(await readyAt(addresses.health)).toMatchObject({ status: 200 }));
    await nats.kill();
    try {
      await eventually(async () =>
        expect(await readyAt(addresses.health)).toMatchObject({
          status: 503,
          checks: { database: 'ok', broker: 'not connected' },
        }),
      );
    } finally {
      await nats.start();
    }
    await eventually(async () => expect(await readyAt(addresses.health)).toMatchObject({ status: 200 }));
  });

  it('that saves nothing and answers no commands stays ready without a broker', async () => {
    const environment = await withoutDatabase();
    const [gateway, other] = await Promise.all([
      startService({ surface: withoutCommands, start: async () => nothing }, environment),
      start(),
    ]);
    await nats.kill();
    try {
      await eventually(async () =>
        expect((await readyAt(other.addresses.health)).checks.broker).toBe('not connected'),
      );
      expect(await readyAt(gateway.addresses.health)).toMatchObject({ status: 200 });
    } finally {
      await nats.start();
      await gateway.stop();
    }
  });

  it('that answers no commands and stores its work waits for a broker that comes late', async () => {
    await nats.kill();
    const emitting = { surface: defineSurface({ ...status, commands: {}, tasks: {} }), handlers: nothing };
    const comesLate = delay(BROKER_WAIT_MS + 500).then(() => nats.start());
    const [running] = await Promise.all([bench.start({ ...emitting, natsUrl: nats.servers }), comesLate]);
    await eventually(async () =>
      expect(await readyAt(running.addresses.health)).toMatchObject({ ready: true }),
    );
  });

  it('starts though its broker is lost while it begins to answer, and answers when that is back', async () => {
    const { url: databaseUrl } = await bench.database();
    const environment = { ...(await withoutDatabase()), DATABASE_URL: databaseUrl };
    const handlers = { commands: { ask: async () => ({}) }, tasks: { work: async () => {} } };
    const losing = async () => {
      nats.pause();
      return { ...nothing, ...handlers, subscriptions: { happened: async () => {} } };
    };
    const caller = createCaller(status);
    const calling = await startService(caller.service, await withoutDatabase());
    const running = await startService({ surface, start: losing }, environment).finally(() => nats.resume());
    try {
      const { health } = running.addresses;
      await eventually(async () => expect(await readyAt(health)).toMatchObject({ status: 200 }));
      expect(await caller.call(status.ask, {}, testContext())).toEqual({});
    } finally {
      await running.stop();
      await calling.stop();
    }
  });

  it('is not ready while its role in the object store is shown nothing of what it reads', async () => {
    const keeper = defineContract('transcript-fetcher', { objects: { rendered: 'files' } });
    const reader = defineSurface(defineContract('archiver', { objects: { archives: 'ZIPs' } }), {
      readsObjects: [keeper.objects.rendered],
    });
    // The rights of the release before, which did not read files.
    const objects = await createTestObjects([defineSurface(reader.contract)]);
    const environment = {
      ...(await withoutDatabase()),
      OBJECTS_DATABASE_URL: objects.urlOf('archiver'),
    };
    const running = await startService({ surface: reader, start: async () => nothing }, environment);
    const { health } = running.addresses;
    try {
      expect(await readyAt(health)).toMatchObject({
        status: 503,
        checks: { rights: "the object store shows nothing of rendered/ to this service's role" },
      });
      await objects.grant([reader]);
      await eventually(async () => expect(await readyAt(health)).toMatchObject({ status: 200 }));
    } finally {
      await running.stop();
      await objects.drop();
    }
  });

  it('is not ready while it stops, and finishes the work in hand', async () => {
    const { url: databaseUrl } = await bench.database();
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const work = async () => {
      begun.resolve();
      await gate.promise;
    };
    const service = await start(work, { databaseUrl, environment: { STOP_WITHIN: '60s' } });
    await service.kit.messaging.transaction(service.client, (_tx, send) => send.enqueue(status.work, {}));
    await begun.promise;
    const stopping = service.stop();
    expect(await readyAt(service.addresses.health)).toMatchObject({ status: 503, stopping: true });
    gate.resolve();
    await stopping;
    const later = await start(async () => {}, { databaseUrl });
    const tasks = await later.sql(`SELECT state, attempts FROM messaging.tasks WHERE name = 'work'`);
    expect(tasks).toEqual([{ state: 'done', attempts: 1 }]);
  });

  it('lets handlers know by their signal that their time is over, and waits for those that end then', async () => {
    const begun = Promise.withResolvers<void>();
    let reason: unknown;
    const service = await start(async (_payload, { signal }) => {
      begun.resolve();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      reason = signal.reason;
    });
    await service.kit.messaging.transaction(service.client, (_tx, send) => send.enqueue(status.work, {}));
    await begun.promise;
    await service.stop();
    expect(reason).toMatchObject({ name: 'ProcessEnds' });
  });

  it('stops its own parts before its connections', async () => {
    const stopped: string[] = [];
    const start = async (kit: Kit<Surface>) => {
      for (const part of ['first', 'second'])
        kit.onStop(part, async () => void stopped.push(`${part} with redis ${kit.redis.status}`));
      return nothing;
    };
    const running = await startService({ surface: withoutCommands, start }, await withoutDatabase());
    await running.stop();
    expect(stopped).toEqual(['second with redis ready', 'first with redis ready']);
  });

  it('that cannot start closes what it had opened', async () => {
    const stopped: string[] = [];
    const start = async (kit: Kit<Surface>) => {
      kit.onStop('part', async () => void stopped.push('part'));
      throw new Error('no index');
    };
    const starting = startService({ surface: withoutCommands, start }, await withoutDatabase());
    await expect(starting).rejects.toThrow('no index');
    expect(stopped).toEqual(['part']);
  });
});

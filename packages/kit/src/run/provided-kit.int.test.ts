import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineContract, defineSurface, type Surface } from '@tds/contracts';
import { sharedRedisUrl, startTestNats, type TestNats } from '@tds/test-kit';
import { z } from 'zod';
import type { Kit } from '../service.ts';
import { startService } from './run-service.ts';

const payload = z.object({});
const status = defineContract('status', {
  commands: { ask: { request: payload, reply: payload } },
  tasks: { work: { payload, leaseMs: 3_000, backoffMs: [100], concurrency: 1, timeLimitMs: null } },
});
const nothing = { commands: {}, tasks: {}, subscriptions: {}, broadcasts: {}, schedules: {} };

describe('a service without a database', () => {
  let nats: TestNats;
  let environment: NodeJS.ProcessEnv;
  beforeAll(async () => {
    nats = await startTestNats();
    environment = { NATS_URL: nats.servers, REDIS_URL: await sharedRedisUrl(), LOG_LEVEL: 'silent' };
  });
  afterAll(() => nats.stop());

  /** Starts it, lets `use` use the provided kit, and stops it. */
  const withKit = async <T>(
    surface: Surface,
    use: (kit: Kit<Surface>) => T,
    more: NodeJS.ProcessEnv = {},
  ): Promise<T> => {
    let result: T | undefined;
    const start = async (kit: Kit<Surface>) => {
      result = use(kit);
      const commands = 'ask' in surface.contract.commands ? { ask: async () => ({}) } : {};
      return { ...nothing, commands };
    };
    const running = await startService(
      { surface, start },
      { ...environment, ...more },
      {
        processMetrics: false,
      },
    );
    await running.stop();
    return result as T;
  };
  const commandsOnly = defineSurface(
    defineContract('status', { commands: { ask: { request: payload, reply: payload } } }),
  );

  it('starts, and is refused a database or object store that it has no address of, by name', async () => {
    const keeper = defineSurface(defineContract('status', { objects: { pages: 'of this test' } }));
    await withKit(keeper, (kit) => {
      expect(() => kit.db).toThrow('status has no DATABASE_URL');
      expect(() => kit.objects).toThrow('status has neither OBJECTS_DATABASE_URL nor OBJECTS_S3_BUCKET');
    });
  });

  it('gets no object store that its surface does not name, whatever address it was given', async () => {
    const objects = { OBJECTS_DATABASE_URL: 'postgres://u:p@127.0.0.1:1/objects' };
    await withKit(
      commandsOnly,
      (kit) => {
        expect(() => kit.objects).toThrow('status has no objects in its surface');
      },
      objects,
    );
  });

  it('does not start if it has something to save', async () => {
    await expect(withKit(defineSurface(status), () => {})).rejects.toThrow('it needs DATABASE_URL');
    const scheduled = defineSurface(defineContract('status', {}), {
      schedules: { tick: { everySeconds: 1 } },
    });
    await expect(withKit(scheduled, () => {})).rejects.toThrow('it needs DATABASE_URL');
  });

  it('does not start without a handler for each of its commands', async () => {
    const start = async () => nothing;
    await expect(startService({ surface: commandsOnly, start }, environment)).rejects.toThrow(
      'no handler for ask',
    );
  });

  it('names everything that is wrong with its environment at once', async () => {
    const wrong = { ...environment, REDIS_URL: 'http://redis', NATS_URL: '', STOP_WITHIN: 'soon' };
    const starting = startService({ surface: commandsOnly, start: async () => nothing }, wrong);
    const error = await starting.then(
      () => undefined,
      (thrown: Error & { problems?: readonly string[] }) => thrown,
    );
    const problems = JSON.stringify(error?.problems);
    for (const name of ['REDIS_URL', 'NATS_URL', 'STOP_WITHIN']) expect(problems).toContain(name);
  });
});

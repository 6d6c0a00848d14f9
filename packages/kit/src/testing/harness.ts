import { randomUUID } from 'node:crypto';
import type { Event, PayloadOf, Surface } from '@tds/contracts';
import type { Context, ListenerContext } from '@tds/messaging';
import { handleOnce, isNewest, versionIn } from '@tds/messaging/internals';
import { createTestObjects } from '@tds/objects/testing';
import {
  createTestDatabase,
  sharedRedisUrl,
  startTestNats,
  type TestDatabase,
  testTimeouts,
} from '@tds/test-kit';
import { type RunningService, type StartableService, startService } from '../run/run-service.ts';
import { testContext } from './caller.ts';
import { type Scraped, scrape } from './observe-service.ts';

type TestRedis = { readonly url: string; stop?(): Promise<void> };

type HarnessOptions<Databases extends Readonly<Record<string, string>>, Redis extends TestRedis> = {
  /** By service, whose tables its database has; `messaging` for a fake, which needs the kit's only. */
  readonly databases?: Databases;
  /** The surfaces of those that have an object store here, each with its own rights. */
  readonly objects?: readonly Surface[];
  /** One to be hurt, such as `startTestRedis()`; it stops with the rest. Otherwise the server that test files share. */
  readonly redis?: Redis | Promise<Redis>;
  /** Variables for every service; they override those of the harness. */
  readonly environment?: NodeJS.ProcessEnv;
};

const createDatabases = async <Name extends string>(
  tableSets: Readonly<Record<Name, string>>,
): Promise<Readonly<Record<Name, TestDatabase>>> => {
  const entries = Object.entries<string>(tableSets).map(
    async ([name, tablesOf]) => [name, await createTestDatabase(tablesOf)] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as Record<Name, TestDatabase>;
};

/** Real servers for one test file, and the services that run on them: a broker of its own, databases and Redis. */
export const startHarness = async <
  const Databases extends Readonly<Record<string, string>> = Record<never, string>,
  Redis extends TestRedis = TestRedis,
>(
  options: HarnessOptions<Databases, Redis> = {},
) => {
  const [nats, redis, databases, objects] = await Promise.all([
    startTestNats(),
    options.redis ?? sharedRedisUrl().then((url) => ({ url }) as Redis),
    createDatabases<keyof Databases & string>(options.databases ?? ({} as Databases)),
    options.objects && createTestObjects(options.objects),
  ]);
  const urls = new Map(Object.entries<TestDatabase>(databases).map(([name, { url }]) => [name, url]));
  const environmentOf = (service: string): NodeJS.ProcessEnv => {
    const databaseUrl = urls.get(service);
    const objectsUrl = objects?.urlOf(service);
    return {
      NATS_URL: nats.servers,
      REDIS_URL: redis.url,
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
      ...testTimeouts,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...(objectsUrl === undefined ? {} : { OBJECTS_DATABASE_URL: objectsUrl }),
      ...options.environment,
    };
  };
  const running: RunningService[] = [];
  return {
    nats,
    redis,
    databases,
    objects,
    /** The environment that `start` gives a service of this name, for tests that start processes. */
    environmentOf,
    /** Starts a service, or another instance of it; it stops with the harness at the latest. */
    start: async (service: StartableService, environment: NodeJS.ProcessEnv = {}): Promise<RunningService> => {
      const own = { ...environmentOf(service.surface.name), ...environment };
      const runningService = await startService(service, own, { processMetrics: false });
      running.push(runningService);
      return runningService;
    },
    /** The /metrics of the last started service of this name. */
    scrape: (service: string): Promise<Scraped> =>
      scrape(running.findLast(({ name }) => name === service)?.addresses.health ?? ''),
    /** Services first, the last started before those that it may still ask; then servers and databases. */
    stop: async (): Promise<void> => {
      for (const service of running.toReversed()) await service.stop();
      await Promise.all([nats.stop(), redis.stop?.()]);
      const all = [...Object.values<TestDatabase>(databases), ...(objects ? [objects] : [])];
      await Promise.all(all.map((database) => database.drop()));
    },
  };
};

export type Harness = Awaited<ReturnType<typeof startHarness>>;

/** The context of one delivery, with the inbox of the listener's database; the same context again is a second delivery. */
export const createListenerContext = <E extends Event>(
  event: E,
  payload: PayloadOf<E>,
  fields: Partial<Context> = {},
): ListenerContext => {
  const message = { consumer: event.subject, messageId: randomUUID(), streamSeq: null };
  const once: ListenerContext['once'] = (tx, effect) => handleOnce(tx, message, effect);
  return {
    ...testContext(fields),
    messageId: message.messageId,
    once,
    onceIfNewest: (tx, effect) =>
      once(tx, async () => {
        if (await isNewest(tx, message.consumer, versionIn(event, payload))) await effect();
      }),
  };
};

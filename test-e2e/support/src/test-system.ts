import { openApiDocument, routeTable } from '@tds/http-api';
import {
  environments,
  loadServices,
  loadSurfaces,
  paymentSecretOf,
  startServices,
  storedServiceNames,
} from '@tds/local';
import { OPERATOR, PROVISIONER } from '@tds/messaging/internals';
import { createTestObjects } from '@tds/objects/testing';
import { brokerUsers, redisUsers, startProvisioner } from '@tds/provisioning/rights';
import {
  createTestDatabase,
  describedAnswers,
  endWithRun,
  runsAllFiles,
  startTestNats,
  startTestRedis,
  type TestDatabase,
  tally,
  testTimeouts,
} from '@tds/test-kit';
import { holdServices } from './held-services.ts';
import { connectInstalledSystem, installation } from './installed-system.ts';
import { connectPayment, type Outside, startOutside } from './outside.ts';
import { manyCallers, type OutsidePlace, outsideAt } from './outside-place.ts';
import { sharedSystem } from './shared-system.ts';
import type { RedisWithUsers, TestSystem } from './system.ts';

const answers = describedAnswers(openApiDocument(routeTable, 'https://api.example'));

/** For a system that ends with its test. */
export const secretsInMemory = (): ((name: string, make: () => string) => string) => {
  const secrets = new Map<string, string>();
  return (name, make) => secrets.get(name) ?? secrets.set(name, make()).get(name) ?? '';
};

/**
 * The whole system in this process, with servers of its own that a test may stop, pause or wipe; or, with `npm run test:e2e`, one that
 * runs already.
 */
export async function startTestSystem(
  settings: NodeJS.ProcessEnv = {},
  load: typeof loadServices = loadServices,
): Promise<TestSystem> {
  const installed = installation();
  return installed ? watchedAnswers(await connectInstalledSystem(installed)) : startOwnSystem(settings, load);
}

let sharedPlace: OutsidePlace | undefined;
const sharing = sharedSystem<Inside>();
endWithRun(sharing.end);

/**
 * The system that the test files of a process share, each with customers and videos of its own: the first one starts it, and it ends with
 * the run. What is around it is new for each file. A file that leaves a service broken fails, and the next one gets another system. Where
 * files run at the same time in several processes, each has its own.
 */
export async function shareTestSystem(): Promise<TestSystem> {
  if (installation() || !runsAllFiles()) return startTestSystem(manyCallers);
  sharedPlace ??= await outsideAt('127.0.0.1', '127.0.0.1');
  const outside = await startOutside(sharedPlace);
  const inside = await sharing.join(() => startInside(outside, manyCallers, loadServices));
  return watchedAnswers(joinSystems(inside, outside, () => sharing.leave().finally(outside.stop)));
}

/** Every answer that tests see of it is held against the API description: a breach fails the file when it stops the system. */
const watchedAnswers = (system: TestSystem): TestSystem => {
  const unwatch = answers.watch(system.gateway);
  const stop = async () => {
    await system.stop().finally(unwatch);
    answers.assertDescribed();
  };
  return { ...system, stop };
};

async function startOwnSystem(settings: NodeJS.ProcessEnv, load: typeof loadServices): Promise<TestSystem> {
  const outside = await startOutside();
  const inside = await startInside(outside, settings, load);
  const stop = async () => {
    await inside.stop();
    await outside.stop();
  };
  return watchedAnswers(joinSystems(inside, outside, stop));
}

/** Services and their servers. */
type Inside = Awaited<ReturnType<typeof startInside>>;

const joinSystems = (inside: Inside, outside: Outside, stop: () => Promise<void>): TestSystem => {
  const { gateway, simulator, payment, mail, receiver } = outside;
  connectPayment(outside, inside.paymentSecret);
  return { ...inside, gateway, simulator, payment, mail, receiver, stop };
};

const startInside = async (outside: Outside, settings: NodeJS.ProcessEnv, load: typeof loadServices) => {
  tally('systems');
  const surfaces = await loadSurfaces();
  const { authorization, seedOf } = brokerUsers(surfaces, secretsInMemory());
  const secretOf = (name: string) => `a long enough secret for tests: ${name}`;
  const { fileOf, urlOf } = redisUsers(surfaces, secretOf);
  const [nats, records, cache, objects, ...created] = await Promise.all([
    startTestNats({ extraConfig: authorization }),
    startTestRedis({ users: fileOf('records') }),
    startTestRedis({ keeps: 'cache', maxMemory: '32mb', users: fileOf('cache') }),
    createTestObjects(surfaces),
    ...storedServiceNames.map((name) => createTestDatabase(name)),
  ]);
  const serviceDatabases = storedServiceNames.map(
    (name, index) => [name, created[index] as TestDatabase] as const,
  );
  const databases = { ...Object.fromEntries(serviceDatabases), objects };
  const [redis, redisCache] = [records, cache].map((server) => ({
    ...server,
    url: urlOf(OPERATOR, server.url),
    urlOf: (user: string) => urlOf(user, server.url),
  })) as [RedisWithUsers, RedisWithUsers];
  const broker = { servers: nats.servers, seedOf };
  const servers = { nats: broker, redis, redisCache, databases, objects, secretOf };
  const allSettings = { LOG_LEVEL: 'error', ...testTimeouts, ...settings };
  const environmentOf = await environments(servers, outside.addresses, allSettings);
  const provisioner = await startProvisioner({
    url: nats.servers,
    nkeySeed: seedOf(PROVISIONER),
    surfaces,
    environment: settings,
  });
  const services = await holdServices(environmentOf, load);
  const stop = async () => {
    await services.stop();
    await provisioner.stop();
    await Promise.all([nats.stop(), redis.stop(), redisCache.stop()]);
    await Promise.all(Object.values(databases).map((database) => database.drop()));
  };
  const paymentSecret = paymentSecretOf(servers);
  return { ...services, nats, redis, redisCache, databases, environmentOf, paymentSecret, stop };
};

/** One more instance of a service beside those of the system, with settings of its own, such as the files of another release. */
export const startAnother = async (
  { environmentOf }: Pick<TestSystem, 'environmentOf'>,
  service: string,
  settings: NodeJS.ProcessEnv,
) => {
  const services = (await loadServices()).filter(({ surface }) => surface.name === service);
  return startServices(services, { [service]: { ...environmentOf[service], ...settings } });
};

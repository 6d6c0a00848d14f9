import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { environments, loadSurfaces, paymentSecretOf, type ServerPlaces, serversAt } from '@tds/local';
import { OPERATOR } from '@tds/messaging/internals';
import { openSecrets, urlFor } from '@tds/servers';
import type { TestDatabase } from '@tds/test-kit';
import { connectPayment, startOutside } from './outside.ts';
import type { OutsidePlace } from './outside-place.ts';
import type { TestSystem } from './system.ts';

/** A system that runs already, as its starter describes it in a file. */
export type Installation = {
  readonly places: ServerPlaces;
  readonly secretsFile: string;
  /** Their names, where they can be killed. */
  readonly containers?: Readonly<Record<'nats' | 'redis', string>>;
  readonly outside: OutsidePlace;
  /** The private addresses of services. */
  readonly health: Readonly<Record<string, string>>;
};

const INSTALLATION = 'TDS_INSTALLATION';

/** Names the file. */
export const installationSetting = (file: string): NodeJS.ProcessEnv => ({ [INSTALLATION]: file });

/** What tests are to run against instead of a system of their own; undefined in `npm test`. */
export const installation = (): Installation | undefined => {
  const file = process.env[INSTALLATION];
  return file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as Installation);
};

/** What a test takes that is not there is an error of its choice of system, not an undefined. */
const requirePresent = <Whole extends object>(label: string, partial: Partial<Whole>): Whole =>
  new Proxy(partial, {
    get: (target, key) => {
      if (key in target || typeof key === 'symbol') return Reflect.get(target, key);
      throw new Error(`${label} of a system that runs elsewhere has no ${key}`);
    },
  }) as Whole;

const keepsServices = () => Promise.reject(new Error('a system that runs elsewhere keeps its services'));

const run = promisify(execFile);

/** Ends without warning, and starts again with what is on its volume. */
const container = (name: string | undefined) =>
  name === undefined
    ? {}
    : {
        kill: async () => void (await run('docker', ['kill', name])),
        start: async () => void (await run('docker', ['start', name])),
      };

/** Its databases for an administrator, who alone may look into all of them. */
const buildDatabases = (
  admin: string,
  { databases, objects }: ReturnType<typeof serversAt>,
): Record<string, TestDatabase> => {
  const urls = { ...databases, objects: { url: objects.ownerUrl, ownerUrl: objects.ownerUrl } };
  const named = Object.entries(urls).map(([name, addresses]) => {
    const adminUrl = urlFor(admin, name.replaceAll('-', '_'));
    return [name, requirePresent<TestDatabase>('a database', { ...addresses, adminUrl })] as const;
  });
  return Object.fromEntries(named);
};

/**
 * The system that runs, with what is around it in this process, where tests have it in their hands. Settings of services are
 * those that it was started with.
 */
export const connectInstalledSystem = async (options: Installation): Promise<TestSystem> => {
  const { places, secretsFile, outside: place, health, containers } = options;
  const secretOf = openSecrets(secretsFile);
  const servers = serversAt(places, await loadSurfaces(), secretOf);
  const outside = await startOutside(place);
  connectPayment(outside, paymentSecretOf({ secretOf }));
  const { gateway, simulator, payment, mail, receiver } = outside;
  const redisAt = ({ urlOf }: { urlOf(user: string): string }, name?: string) =>
    requirePresent<TestSystem['redis']>('Redis', { url: urlOf(OPERATOR), urlOf, ...container(name) });
  return {
    ...{ gateway, simulator, payment, mail, receiver },
    healthOf: (service) => String(health[service]),
    nats: requirePresent<TestSystem['nats']>('NATS', {
      servers: places.nats,
      ...container(containers?.nats),
    }),
    redis: redisAt(servers.redis, containers?.redis),
    redisCache: redisAt(servers.redisCache),
    databases: buildDatabases(places.postgres, servers),
    environmentOf: await environments(servers, outside.addresses),
    ...{ replaceServices: keepsServices, restartServices: keepsServices },
    stop: outside.stop,
  };
};

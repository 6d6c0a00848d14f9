import type { Bodies, Projections, Secret } from '@tds/base';
import {
  ConfigError,
  createDatabaseWatch,
  createPool,
  type DatabaseWatch,
  type PoolOptions,
  tracePool,
} from '@tds/base/internals';
import { BROKER_WAIT_MS, type RedisServer, type Surface } from '@tds/contracts';
import { type Bus, isStored, openBus, toStreamLimits } from '@tds/messaging/internals';
import type { Objects } from '@tds/objects';
import { createObjects, objectsConfig, watchHidden, withRights } from '@tds/objects/internals';
import { objectPermissionsOf, usesObjects } from '@tds/objects/rights';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { usesRedis } from './kit-config.ts';
import type { Life } from './life.ts';

/** The connections of one service. */
export type Connections = {
  readonly pool: Pool | undefined;
  /** The kit's own few connections: leases are prolonged and messages moved however busy the service's are. */
  readonly kitPool: Pool | undefined;
  readonly database: DatabaseWatch;
  readonly redis: Redis | undefined;
  readonly projections: Projections | undefined;
  readonly bodies: Bodies | undefined;
  readonly objects: Objects | undefined;
  readonly bus: Bus;
  /** Refusals of broker, Redis and object store for lack of rights. */
  refusals(): readonly string[];
};

const KIT_CONNECTIONS = 4;
/**
 * The kit asks the same few questions all the time, each through an index of its own: planning them takes five times as long as their answers,
 * and a plan that was made while a table was empty has to be the one for when it is full.
 */
export const KIT_SETTINGS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
};

const openPool = (
  { service, config, log, stops }: Life,
  {
    suffix,
    ...poolOptions
  }: Pick<PoolOptions, 'maxConnections' | 'onConnect' | 'settings'> & { readonly suffix: string },
): Pool | undefined => {
  if (config.DATABASE_URL === undefined) return undefined;
  const instance = config.INSTANCE_ID ? `/${config.INSTANCE_ID}` : '';
  const applicationName = `${service}${suffix}${instance}`;
  const url = config.DATABASE_URL.reveal();
  const pool = createPool({ url, applicationName, waitMs: config.DATABASE_WAIT, log, ...poolOptions });
  stops.add(`database${suffix}`, () => pool.end());
  return tracePool(pool);
};

export const openDatabase = (life: Life): Pick<Connections, 'pool' | 'kitPool' | 'database'> => {
  const pool = openPool(life, { suffix: '', maxConnections: life.config.DATABASE_CONNECTIONS });
  const database = createDatabaseWatch(life.log);
  life.stops.add('watch of the database', async () => database.stop());
  const { onConnect } = database;
  const poolOptions = { suffix: ' kit', maxConnections: KIT_CONNECTIONS, onConnect, settings: KIT_SETTINGS };
  return { pool, kitPool: openPool(life, poolOptions), database };
};

type OpenRedis = { readonly redis: Redis | undefined; refusals(): readonly string[] };

const openRedis = async (
  { service, surface, config, log, stops }: Life,
  { name, server, url }: { name: string; server: RedisServer; url: Secret | undefined },
): Promise<OpenRedis> => {
  if (url === undefined && usesRedis(surface, server)) throw new ConfigError(service, ['REDIS_URL is missing']);
  if (url === undefined) return { redis: undefined, refusals: () => [] };
  // Most services have no Redis, and its client is large.
  const { createRedis, redisReady, watchRefusals } = await import('@tds/base/redis');
  const redis = createRedis(url.reveal(), {
    name: `${service}-${name}`,
    log,
    commandTimeoutMs: config.REDIS_TIMEOUT,
  });
  const refusals = watchRefusals(redis, (refusal) => log.error('rights lack', { server: name, refusal }));
  stops.add(name, async () => redis.disconnect());
  // Redis may lose its contents at any time, so a service starts without it too.
  await redisReady(redis).catch((error) => log.warn(`starting without ${name}`, { error }));
  return { redis, refusals };
};

/** Two connections, even to one server: no answer about limits waits behind a body. */
export const openRedises = (life: Life): Promise<[records: OpenRedis, bodies: OpenRedis]> => {
  const { REDIS_URL, REDIS_CACHE_URL = REDIS_URL } = life.config;
  return Promise.all([
    openRedis(life, { name: 'redis', server: 'records', url: REDIS_URL }),
    openRedis(life, { name: 'redis-cache', server: 'cache', url: REDIS_CACHE_URL }),
  ]);
};

type OpenObjects = { readonly objects: Objects | undefined; refusals(): readonly string[] };

export const openObjects = async ({ service, surface, environment, stops }: Life): Promise<OpenObjects> => {
  const none: OpenObjects = { objects: undefined, refusals: () => [] };
  if (!usesObjects(surface)) return none;
  if (!environment.OBJECTS_DATABASE_URL && !environment.OBJECTS_S3_BUCKET) return none;
  const store = createObjects(objectsConfig(environment));
  stops.add('objects', () => store.close());
  const rights = objectPermissionsOf(surface);
  return { objects: withRights(store, service, rights), refusals: await watchHidden(store, rights) };
};

/** Such a service is not ready while the broker is away. */
export const answersCommands = ({ contract }: Surface): boolean => Object.keys(contract.commands).length > 0;

/** A service that answers commands or stores its work waits for the broker; one that only serves HTTP starts without it. */
export const connectBus = async ({ service, surface, config, log, metrics, stops }: Life): Promise<Bus> => {
  const bus = openBus({
    service,
    log,
    url: config.NATS_URL,
    nkeySeed: config.NATS_NKEY_SEED?.reveal(),
    streamLimits: toStreamLimits(config),
    onReconnect: () => metrics.busReconnects.inc(),
  });
  stops.add('broker', () => bus.close());
  if (answersCommands(surface) || isStored(surface)) await bus.whenConnected(new AbortController().signal);
  else
    await bus
      .whenConnected(AbortSignal.timeout(BROKER_WAIT_MS))
      .catch((error) => log.warn('starting without the broker', { error }));
  return bus;
};

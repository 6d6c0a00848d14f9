import type { Bodies, Instruments, Log, Projections, Secret } from '@tds/base';
import {
  ConfigError,
  createBodies,
  createDatabaseWatch,
  createPool,
  createProjections,
  createRedis,
  type DatabaseWatch,
  type OnProjectionFailure,
  type PoolOptions,
  redisReady,
  startTelemetry,
  tracePool,
  watchRefusals,
} from '@tds/base/internals';
import { BROKER_WAIT_MS, type RedisServer, type Surface } from '@tds/contracts';
import { type Bus, openBus, streamLimitsOf } from '@tds/messaging/internals';
import type { Objects } from '@tds/objects';
import { createObjects, objectsConfig, watchHidden, withRights } from '@tds/objects/internals';
import { objectPermissionsOf, usesObjects } from '@tds/objects/rights';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { type KitConfig, usesRedis } from './kit-config.ts';
import type { StopList } from './stop-list.ts';

/** The connections of one service. */
export type Foundations = {
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

type FoundationOptions = {
  readonly service: string;
  readonly surface: Surface;
  readonly environment: NodeJS.ProcessEnv;
  readonly config: KitConfig;
  readonly log: Log;
  readonly metrics: Instruments;
  readonly stops: StopList;
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
  { service, config, log, stops }: FoundationOptions,
  {
    suffix,
    ...own
  }: Pick<PoolOptions, 'maxConnections' | 'onConnect' | 'settings'> & { readonly suffix: string },
): Pool | undefined => {
  if (config.DATABASE_URL === undefined) return undefined;
  const instance = config.INSTANCE_ID ? `/${config.INSTANCE_ID}` : '';
  const applicationName = `${service}${suffix}${instance}`;
  const url = config.DATABASE_URL.reveal();
  const pool = createPool({ url, applicationName, waitMs: config.DATABASE_WAIT, log, ...own });
  stops.add(`database${suffix}`, () => pool.end());
  return tracePool(pool);
};

type OpenRedis = { readonly redis: Redis | undefined; refusals(): readonly string[] };

const openRedis = async (
  { service, surface, config, log, stops }: FoundationOptions,
  { name, server, url }: { name: string; server: RedisServer; url: Secret | undefined },
): Promise<OpenRedis> => {
  if (url === undefined && usesRedis(surface, server))
    throw new ConfigError(service, ['REDIS_URL is missing']);
  if (url === undefined) return { redis: undefined, refusals: () => [] };
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
const openRedises = (options: FoundationOptions): Promise<[records: OpenRedis, bodies: OpenRedis]> => {
  const { REDIS_URL, REDIS_CACHE_URL = REDIS_URL } = options.config;
  return Promise.all([
    openRedis(options, { name: 'redis', server: 'records', url: REDIS_URL }),
    openRedis(options, { name: 'redis-cache', server: 'cache', url: REDIS_CACHE_URL }),
  ]);
};

type OpenObjects = { readonly objects: Objects | undefined; refusals(): readonly string[] };

const openObjects = async ({
  service,
  surface,
  environment,
  stops,
}: FoundationOptions): Promise<OpenObjects> => {
  const none: OpenObjects = { objects: undefined, refusals: () => [] };
  if (!usesObjects(surface)) return none;
  if (!environment.OBJECTS_DATABASE_URL && !environment.OBJECTS_S3_BUCKET) return none;
  const store = createObjects(objectsConfig(environment));
  stops.add('objects', () => store.close());
  const rights = objectPermissionsOf(surface);
  return { objects: withRights(store, service, rights), refusals: await watchHidden(store, rights) };
};

/** Only such a service needs the broker to be of use. */
export const answersCommands = ({ contract }: Surface): boolean => Object.keys(contract.commands).length > 0;

/** A service that answers commands waits for the broker; one that serves HTTP starts without it. */
const connectBus = async (options: FoundationOptions): Promise<Bus> => {
  const { service, surface, config, log, metrics, stops } = options;
  const bus = openBus({
    service,
    log,
    url: config.NATS_URL,
    nkeySeed: config.NATS_NKEY_SEED?.reveal(),
    streamLimits: streamLimitsOf(config),
    onReconnect: () => metrics.busReconnects.inc(),
  });
  stops.add('broker', () => bus.close());
  if (answersCommands(surface)) await bus.whenConnected(new AbortController().signal);
  else
    await bus
      .whenConnected(AbortSignal.timeout(BROKER_WAIT_MS))
      .catch((error) => log.warn('starting without the broker', { error }));
  return bus;
};

/** Telemetry, database, Redis, objects and broker, in this order; each is entered in the stop list as it opens. */
export const openFoundations = async (options: FoundationOptions): Promise<Foundations> => {
  const { service, config, log, metrics, stops } = options;
  const telemetry = await startTelemetry({ service, otlpEndpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT });
  stops.add('telemetry', telemetry.stop);
  const pool = openPool(options, { suffix: '', maxConnections: config.DATABASE_CONNECTIONS });
  const database = createDatabaseWatch(log);
  stops.add('watch of the database', async () => database.stop());
  const { onConnect } = database;
  const kitPool = openPool(options, {
    suffix: ' kit',
    maxConnections: KIT_CONNECTIONS,
    onConnect,
    settings: KIT_SETTINGS,
  });
  const [records, cache] = await openRedises(options);
  const onFailure: OnProjectionFailure = ({ projection, operation }) =>
    metrics.projectionFailures.inc({ projection, operation });
  const store = await openObjects(options);
  const bus = await connectBus(options);
  return {
    pool,
    kitPool,
    database,
    redis: records.redis,
    objects: store.objects,
    bus,
    projections: records.redis && createProjections(records.redis, onFailure),
    bodies: cache.redis && createBodies(cache.redis, onFailure),
    refusals: () => [bus, records, cache, store].flatMap((each) => each.refusals()),
  };
};

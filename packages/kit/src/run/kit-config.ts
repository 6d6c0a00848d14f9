import { baseUrl, durationMs, loadConfig, port, secret, secretUrl, wholeNumber } from '@tds/base';
import { POOL_WAIT_MS, REDIS_MS, type RedisServer, type Surface } from '@tds/contracts';
import { isStored, refuseOverbooking, streamVariables } from '@tds/messaging/internals';
import { objectFields } from '@tds/objects/internals';
import { usesObjects } from '@tds/objects/rights';
import { z } from 'zod';

/** The kit's variables in every service's environment; the object store has its own. */
const kitEnvironment = z.object({
  DATABASE_URL: secretUrl('postgres', 'postgresql').optional(),
  DATABASE_CONNECTIONS: wholeNumber({ min: 2, max: 100 }).default(10),
  DATABASE_WAIT: durationMs().default(POOL_WAIT_MS),
  REDIS_URL: secretUrl('redis', 'rediss').optional(),
  REDIS_CACHE_URL: secretUrl('redis', 'rediss').optional(),
  REDIS_TIMEOUT: durationMs().default(REDIS_MS),
  NATS_URL: z.string().min(1),
  NATS_NKEY_SEED: secret().optional(),
  ...streamVariables,
  HEALTH_PORT: port().default(0),
  HEALTH_HOST: z.string().optional(),
  LOG_LEVEL: z.enum(['info', 'warn', 'error', 'silent']).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl('http', 'https').optional(),
  INSTANCE_ID: z.string().max(64).optional(),
  /** Above this a quick refusal serves callers better than a late answer. */
  MAX_COMMANDS_IN_FLIGHT: wholeNumber({ min: 1, max: 100_000 }).default(512),
  STOP_WITHIN: durationMs().default(10_000),
});

type KitConfig = z.output<typeof kitEnvironment>;

/** Throws ConfigError with all problems at once. */
export const loadKitConfig = (service: string, environment: NodeJS.ProcessEnv): KitConfig =>
  loadConfig(kitEnvironment.superRefine(refuseOverbooking), environment, { service });

/** A service gets no address of a server on which it has no projection and no command of its own. */
export const usesRedis = ({ contract, reads, redis }: Surface, server: RedisServer): boolean =>
  (server === 'records' && redis.length > 0) ||
  [...Object.values(contract.projections), ...reads].some(({ keptIn }) => keptIn === server);

/** Node and its libraries read these by themselves. */
const optional = z.string().optional();
const nodeFields = { NODE_ENV: optional, NODE_OPTIONS: optional, NODE_EXTRA_CA_CERTS: optional };
const isNeeded: Readonly<Record<string, (surface: Surface) => boolean>> = {
  DATABASE_URL: isStored,
  DATABASE_CONNECTIONS: isStored,
  DATABASE_WAIT: isStored,
  REDIS_URL: (surface) => usesRedis(surface, 'records'),
  REDIS_CACHE_URL: (surface) => usesRedis(surface, 'cache'),
  REDIS_TIMEOUT: (surface) => usesRedis(surface, 'records') || usesRedis(surface, 'cache'),
};

/** All variables that a service with this surface reads, beside those of its own `config.ts`. */
export const listKitFields = (surface: Surface): Readonly<Record<string, z.ZodType>> => ({
  ...nodeFields,
  ...Object.fromEntries(
    Object.entries(kitEnvironment.shape).filter(([name]) => isNeeded[name]?.(surface) ?? true),
  ),
  ...(usesObjects(surface) ? objectFields : {}),
});

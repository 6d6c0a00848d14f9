import type { Surface } from '@tds/contracts';
import { PROVISIONER } from '@tds/messaging/internals';
import { databaseUrls, loadConfigs, provisionerVariables, serviceNames } from '@tds/provisioning';
import { brokerUsers, redisUsers } from '@tds/provisioning/rights';
import { urlFor } from '@tds/servers';
import { environments, madeNames, only, paymentSecretOf } from './environments.ts';
import { scrapeTargets } from './scrape-targets.ts';
import { refuseUnknownSettings } from './settings.ts';

/** The addresses on the machine that it runs on; docker-compose publishes the ports by the same variables. */
export const endpointsOf = ({
  PORT = '8080',
  MAIL_PORT = '8025',
  PLATFORM_PORT = '8081',
  PAYMENTS_PORT = '8082',
  WEBHOOKS_PORT = '8083',
}: NodeJS.ProcessEnv) => {
  const at = (port: string): string => `http://127.0.0.1:${port}`;
  return {
    gateway: at(PORT),
    mailbox: at(MAIL_PORT),
    platform: at(PLATFORM_PORT),
    payment: at(PAYMENTS_PORT),
    webhooks: at(WEBHOOKS_PORT),
  };
};

type SecretOf = (name: string, make?: () => string) => string;

/** Names and ports inside docker-compose.yml. */
const brokerNames = ['nats', 'nats-2', 'nats-3'] as const;
const BROKER_PORT = 4222;
const ROUTES_PORT = 6222;
const REDIS = 'redis://redis:6379';
const REDIS_CACHE = 'redis://redis-cache:6379';
const POSTGRES = 'postgresql://postgres:5432/postgres?sslmode=disable';
const GATEWAY_PORT = 8080;
const HEALTH_PORT = 9090;
const GATEWAY = `http://gateway:${GATEWAY_PORT}`;
const outside = {
  port: GATEWAY_PORT,
  platformOrigin: 'http://platform-simulator:8081',
  paymentOrigin: 'http://payment-simulator:8082',
  smtpUrl: 'smtp://mail-catcher:1025',
};

/** One broker, or three of which one may die. */
export type BrokerCount = 1 | 3;

/** Each broker has its name in its environment. Only a broker may connect as one: rights of users end there. */
const clusterConfiguration = (names: readonly string[], password: string): string => {
  const routes = names.map((name) => `"nats-route://routes:${password}@${name}:${ROUTES_PORT}"`);
  return `server_name: $NATS_NAME
cluster {
  name: "tds"
  listen: "0.0.0.0:${ROUTES_PORT}"
  authorization { user: "routes", password: "${password}" }
  routes: [ ${routes.join(', ')} ]
}
`;
};

/** JetStream answers when a message is on the disk. */
const natsConfiguration = (authorization: string): string => `listen: "0.0.0.0:${BROKER_PORT}"
write_deadline: "10s"
jetstream {
  store_dir: "/data"
  max_memory_store: 268435456
  max_file_store: 10737418240
  sync_interval: always
}
${authorization}
`;

/** As `node --env-file` reads it: the text between the quotes is literal. */
const envLine = ([name, value]: [string, string]): string => {
  const quote = ['"', "'", '`'].find((mark) => !value.includes(mark));
  if (quote === undefined || value.includes('\n')) throw new Error(`${name} has quotes of every kind`);
  return `${name}=${quote}${value}${quote}\n`;
};

const envFile = (environment: NodeJS.ProcessEnv): string =>
  Object.entries(environment)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(envLine)
    .join('');

const byDefault = { LOG_LEVEL: 'info' };

/** The servers of an installation: the administrator's address of Postgres, and the others' addresses without a user. */
export type ServerPlaces = {
  readonly postgres: string;
  readonly nats: string;
  readonly redis: string;
  readonly redisCache: string;
};

/** The same servers with users and passwords. */
export const serversAt = (places: ServerPlaces, surfaces: readonly Surface[], secretOf: SecretOf) => {
  const { seedOf } = brokerUsers(surfaces, secretOf);
  const { urlOf } = redisUsers(surfaces, secretOf);
  return {
    ...databaseUrls(places.postgres, surfaces, secretOf),
    nats: { servers: places.nats, seedOf },
    redis: { urlOf: (user: string) => urlOf(user, places.redis) },
    redisCache: { urlOf: (user: string) => urlOf(user, places.redisCache) },
    secretOf,
  };
};

/** Throws the error that a service would throw about its environment at its start. */
const checkAll = (
  configs: Awaited<ReturnType<typeof loadConfigs>>,
  environmentOf: Record<string, NodeJS.ProcessEnv>,
) => {
  for (const [name, { check }] of Object.entries(configs)) check(environmentOf[name] ?? {});
};

/**
 * The file of each container of docker-compose.yml, by the file's name. Throws if a setting is read by no
 * service, or its value is malformed.
 */
export const installationFiles = async (
  surfaces: readonly Surface[],
  secretOf: SecretOf,
  settings: NodeJS.ProcessEnv,
  brokers: BrokerCount = 1,
): Promise<Record<string, string>> => {
  const names = brokerNames.slice(0, brokers);
  const nats = names.map((name) => `${name}:${BROKER_PORT}`).join(',');
  const cluster = names.length === 1 ? '' : clusterConfiguration(names, secretOf('nats-routes'));
  const given = { ...byDefault, EVENTS_REPLICAS: String(brokers), ...settings };
  const adminPassword = secretOf('postgres');
  const adminUrl = urlFor(POSTGRES, 'postgres', { name: 'postgres', password: adminPassword });
  const passwords: Record<string, string> = {};
  const passwordOf = (role: string) => (passwords[role] = secretOf(role));
  const { authorization, seedOf } = brokerUsers(surfaces, secretOf);
  const { fileOf } = redisUsers(surfaces, secretOf);
  databaseUrls(adminUrl, surfaces, passwordOf);
  const places = { postgres: adminUrl, nats, redis: REDIS, redisCache: REDIS_CACHE };
  const servers = serversAt(places, surfaces, secretOf);
  const configs = await loadConfigs();
  refuseUnknownSettings(settings, configs, madeNames(servers, outside));
  const environmentOf = await environments(servers, outside, given);
  checkAll(configs, environmentOf);
  const streams = { ...given, NATS_URL: nats, NATS_NKEY_SEED: seedOf(PROVISIONER) };
  return {
    ...Object.fromEntries(
      Object.entries(environmentOf).map(([name, environment]) => [`${name}.env`, envFile(environment)]),
    ),
    'postgres-password': adminPassword,
    'grafana-password': secretOf('grafana administrator'),
    'databases.json': `${JSON.stringify({ adminUrl, passwords }, null, 2)}\n`,
    'nats.conf': natsConfiguration(authorization) + cluster,
    'redis.acl': fileOf('records'),
    'redis-cache.acl': fileOf('cache'),
    'streams.env': envFile(only(streams, provisionerVariables)),
    'payment-simulator.env': envFile({
      PAYMENT_EVENTS_URL: `${GATEWAY}/v1/billing/payment`,
      PAYMENT_EVENTS_SECRET: paymentSecretOf({ secretOf }),
    }),
    'targets.json': scrapeTargets(
      serviceNames.map((service) => ({ service, health: `http://${service}:${HEALTH_PORT}` })),
    ),
  };
};

import type { Surface } from '@tds/contracts';
import { PORTS } from '@tds/docker';
import type { Places } from '@tds/k8s';
import { PROVISIONER } from '@tds/messaging/internals';
import {
  type AdminUrl,
  databaseUrls,
  loadConfigs,
  provisionerVariables,
  serviceNames,
  storedServiceNames,
} from '@tds/provisioning';
import { brokerUsers, redisUsers } from '@tds/provisioning/rights';
import { natsConfiguration, urlFor } from '@tds/servers';
import { environments, listFixedVariables, paymentSecretOf, pick } from './environments.ts';
import { scrapeTargets } from './scrape-targets.ts';
import { readStoreBytes, refuseTrial, refuseUnknownSettings } from './settings.ts';

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

/** Names inside docker-compose.yml. */
const brokerNames = ['nats', 'nats-2', 'nats-3'] as const;
const REDIS = `redis://redis:${PORTS.redis}`;
const REDIS_CACHE = `redis://redis-cache:${PORTS.redis}`;
const GATEWAY = `http://gateway:${PORTS.http}`;
const outside = {
  port: PORTS.http,
  platformOrigin: `http://platform-simulator:${PORTS.platform}`,
  paymentOrigin: `http://payment-simulator:${PORTS.payments}`,
  smtpUrl: `smtp://mail-catcher:${PORTS.smtp}`,
};

/** One broker, or three of which one may die. */
export type BrokerCount = 1 | 3;

/** One Postgres has all databases, or there is one for each of them. */
export type PostgresCount = 'one' | 'each';

/** The Postgres of a database, if each has one. That of the ledger is the one of docker-compose.yml. */
export const postgresOf = (database: string): string =>
  database === 'credits-ledger' ? 'postgres' : `postgres-${database}`;

export const databaseNames: readonly string[] = [...storedServiceNames, 'objects'];

const postgresPlaces = (count: PostgresCount): Places['postgres'] =>
  count === 'one'
    ? { postgres: { host: 'postgres' } }
    : Object.fromEntries(
        databaseNames.map((name) => [postgresOf(name), { host: postgresOf(name), databases: [name] }]),
      );

/** Each broker has its name in its environment. Only a broker may connect as one: rights of users end there. */
const clusterConfiguration = (names: readonly string[], password: string): string => {
  const routes = names.map((name) => `"nats-route://routes:${password}@${name}:${PORTS.natsRoutes}"`);
  return `server_name: $NATS_NAME
cluster {
  name: "tds"
  listen: "0.0.0.0:${PORTS.natsRoutes}"
  authorization { user: "routes", password: "${password}" }
  routes: [ ${routes.join(', ')} ]
}
`;
};

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

/** The servers of an installation: the administrator's addresses of Postgres, and the others' addresses without a user. */
export type ServerPlaces = {
  readonly postgres: string;
  readonly nats: string;
  readonly redis: string;
  readonly redisCache: string;
};

/** The same servers with users and passwords. */
export const serversAt = (
  places: Omit<ServerPlaces, 'postgres'> & { readonly postgres: AdminUrl },
  surfaces: readonly Surface[],
  secretOf: SecretOf,
) => {
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

/** The administrators of the servers of Postgres, and where each database is. */
const describeAdministrators = ({ postgres, sslmode }: Places, secretOf: SecretOf) => {
  const servers = Object.entries(postgres).map(([name, { host, databases }]) => {
    const password = secretOf(name);
    const login = { name: 'postgres', password };
    const url = urlFor(`postgresql://${host}:${PORTS.postgres}/postgres?sslmode=${sslmode}`, 'postgres', login);
    return { name, password, url, databases };
  });
  const urlOf = (database: string): string =>
    servers.find(({ databases }) => databases?.includes(database) ?? true)?.url ?? '';
  const [first] = servers;
  const elsewhere = databaseNames.filter((name) => urlOf(name) !== first?.url);
  return {
    urlOf,
    passwords: Object.fromEntries(servers.map(({ name, password }) => [name, password])),
    places: {
      adminUrl: first?.url,
      ...(elsewhere.length > 0
        ? { elsewhere: Object.fromEntries(elsewhere.map((name) => [name, urlOf(name)])) }
        : {}),
    },
  };
};

/**
 * What the servers, services and jobs of an installation have to know. Throws if a setting is read by no service, or its value
 * is malformed.
 */
export const describeInstallation = async (
  surfaces: readonly Surface[],
  secretOf: SecretOf,
  settings: NodeJS.ProcessEnv,
  places: Places,
) => {
  refuseTrial(settings);
  const { brokers } = places;
  const nats = brokers.map((name) => `${name}:${PORTS.nats}`).join(',');
  const cluster = brokers.length === 1 ? '' : clusterConfiguration(brokers, secretOf('nats-routes'));
  const values = { LOG_LEVEL: 'info', EVENTS_REPLICAS: String(brokers.length), ...settings };
  const administrators = describeAdministrators(places, secretOf);
  const passwords: Record<string, string> = {};
  const passwordOf = (role: string) => (passwords[role] = secretOf(role));
  const { authorization, seedOf } = brokerUsers(surfaces, secretOf);
  const { fileOf } = redisUsers(surfaces, secretOf);
  databaseUrls(administrators.urlOf, surfaces, passwordOf);
  const addresses = { postgres: administrators.urlOf, nats, redis: REDIS, redisCache: REDIS_CACHE };
  const servers = serversAt(addresses, surfaces, secretOf);
  const configs = await loadConfigs();
  refuseUnknownSettings(settings, configs, listFixedVariables(servers, outside));
  const environmentOf = await environments(servers, outside, values);
  checkAll(configs, environmentOf);
  // JetStream answers when a message is on the disk.
  const store = `store_dir: "/data", max_file_store: ${readStoreBytes(values, brokers.length)}, sync_interval: always`;
  // Its own health page is for probes inside its container.
  const extra = `http: "127.0.0.1:8222"\n${authorization}\n${cluster}`;
  return {
    environmentOf,
    configs,
    administrators,
    databases: `${JSON.stringify({ ...administrators.places, passwords }, null, 2)}\n`,
    natsConfiguration: natsConfiguration(`0.0.0.0:${PORTS.nats}`, store, extra),
    redisUsers: fileOf('records'),
    redisCacheUsers: fileOf('cache'),
    streams: pick({ ...values, NATS_URL: nats, NATS_NKEY_SEED: seedOf(PROVISIONER) }, provisionerVariables),
    paymentEventsSecret: paymentSecretOf({ secretOf }),
  };
};

/** The file of each container of docker-compose.yml, by the file's name. */
export const installationFiles = async (
  surfaces: readonly Surface[],
  secretOf: SecretOf,
  settings: NodeJS.ProcessEnv,
  brokers: BrokerCount = 1,
  postgres: PostgresCount = 'one',
): Promise<Record<string, string>> => {
  const installation = await describeInstallation(surfaces, secretOf, settings, {
    brokers: brokerNames.slice(0, brokers),
    postgres: postgresPlaces(postgres),
    sslmode: 'disable',
  });
  return {
    ...Object.fromEntries(
      Object.entries(installation.environmentOf).map(([name, environment]) => [
        `${name}.env`,
        envFile(environment),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(installation.administrators.passwords).map(([name, text]) => [`${name}-password`, text]),
    ),
    'grafana-password': secretOf('grafana administrator'),
    'databases.json': installation.databases,
    'nats.conf': installation.natsConfiguration,
    'redis.acl': installation.redisUsers,
    'redis-cache.acl': installation.redisCacheUsers,
    'streams.env': envFile(installation.streams),
    'payment-simulator.env': envFile({
      PAYMENT_EVENTS_URL: `${GATEWAY}/v1/billing/payment`,
      PAYMENT_EVENTS_SECRET: installation.paymentEventsSecret,
    }),
    'targets.json': scrapeTargets(
      serviceNames.map((service) => ({ service, health: `http://${service}:${PORTS.health}` })),
    ),
  };
};

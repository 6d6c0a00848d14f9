import { readFileSync } from 'node:fs';
import path from 'node:path';
import { tierLimits } from '@tds/contracts';
import { loadConfigs, serviceNames } from '@tds/provisioning';
import { toolsDir } from '@tds/servers';
import type { Servers } from './servers.ts';

/** The addresses of the servers for services. */
export type ServerAddresses = Pick<Servers, 'databases' | 'secretOf'> & {
  readonly nats: Pick<Servers['nats'], 'servers' | 'seedOf'>;
  readonly objects: Pick<Servers['objects'], 'urlOf'>;
  readonly redis: Pick<Servers['redis'], 'urlOf'>;
  readonly redisCache: Pick<Servers['redisCache'], 'urlOf'>;
};

export type Outside = {
  /** The gateway's public port. */
  readonly port: number;
  readonly platformOrigin: string;
  readonly smtpUrl: string;
  readonly paymentOrigin: string;
};

/** The secret with which the payment processor signs events; its simulator has it too. */
export const paymentSecretOf = ({ secretOf }: Pick<ServerAddresses, 'secretOf'>): string =>
  secretOf('payment webhook secret');

/** The settings of `npm start`, which also lifts the limit of new accounts: all accounts of its owner are new. */
export const startSettings = (settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  NEW_ACCOUNT_FETCHES_PER_DAY: String(tierLimits.paid.coldFetchesPerDay),
  ...settings,
});

export const SIMULATED_VIDEO = 'manualEn001';

/** Defaults of a local run: its machine needs no protection against farmed accounts, and may have no network. */
const buildDefaults = (servers: ServerAddresses, outside: Outside, settings: NodeJS.ProcessEnv) => {
  const { PUBLIC_URL = `http://127.0.0.1:${outside.port}`, NODE_ENV, PLATFORM_ORIGIN } = settings;
  return {
    LOG_LEVEL: 'warn',
    SIGNUP_PER_NETWORK_PER_HOUR: '10000',
    SIGNUP_PER_NETWORK_PER_DAY: '100000',
    CHECKOUTS_PER_HOUR: '10000',
    PUBLIC_REQUESTS_PER_MINUTE: '10000',
    MAIL_DNS: 'off',
    PUBLIC_URL,
    SMTP_URL: outside.smtpUrl,
    PLATFORM_ORIGIN: outside.platformOrigin,
    // The simulator is its own Data API; beside the real platform there is the real one.
    ...(!PLATFORM_ORIGIN && {
      PLATFORM_DATA_API_ORIGIN: outside.platformOrigin,
      EXAMPLE_VIDEO: SIMULATED_VIDEO,
    }),
    STRIPE_API_ORIGIN: outside.paymentOrigin,
    STRIPE_SECRET_KEY: 'sk_test_of_the_simulator',
    STRIPE_WEBHOOK_SECRETS: paymentSecretOf(servers),
    // Receivers of webhooks on this machine, as the one of the local run is.
    WEBHOOK_LOCAL_RECEIVERS: NODE_ENV === 'production' ? '0' : '1',
  };
};

/** The folder that the bootstrap has built the dashboard and the packages of customers into. */
const builtDir = (): string => {
  const { pages } = JSON.parse(readFileSync(path.join(toolsDir, 'stamps.json'), 'utf8')) as { pages: string };
  return path.join(toolsDir, 'pages', pages);
};

/** Values that no setting changes. */
const buildFixedVariables = (name: string, { secretOf, ...servers }: ServerAddresses, { port }: Outside) => ({
  PORT: String(port),
  HEALTH_PORT: '0',
  NATS_URL: servers.nats.servers,
  NATS_NKEY_SEED: servers.nats.seedOf(name),
  REDIS_URL: servers.redis.urlOf(name),
  REDIS_CACHE_URL: servers.redisCache.urlOf(name),
  DATABASE_URL: servers.databases[name]?.url,
  OBJECTS_DATABASE_URL: servers.objects.urlOf(name),
  KEY_RING: `local:${secretOf('key ring of gateway and identity')}`,
  WEBHOOK_KEY_RING: `local:${secretOf('key ring of gateway and webhook-dispatcher')}`,
  PEPPER: secretOf('identity pepper'),
  REPLAY_SECRET: secretOf('gateway replay secret'),
  BUILT_DIR: builtDir(),
});

/** The variables that the installation sets, and no setting changes. */
export const listFixedVariables = (servers: ServerAddresses, outside: Outside): readonly string[] =>
  Object.keys(buildFixedVariables('gateway', servers, outside));

/** The named ones of the values. */
export const pick = (values: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));

/** Settings of all services, and those of one: `archiver.LOG_LEVEL`. */
const resolveSettings = (service: string, settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const prefix = `${service}.`;
  const overrides = Object.entries(settings).filter(([name]) => name.startsWith(prefix));
  return {
    ...settings,
    ...Object.fromEntries(overrides.map(([name, value]) => [name.slice(prefix.length), value])),
  };
};

/**
 * The environment of every service, by its name, limited to the variables that its configuration declares. Settings win over
 * defaults; an empty one is absent.
 */
export async function environments(
  servers: ServerAddresses,
  outside: Outside,
  rawSettings: NodeJS.ProcessEnv = {},
): Promise<Record<string, NodeJS.ProcessEnv>> {
  const configs = await loadConfigs();
  const settings = pick(rawSettings, Object.keys(rawSettings));
  const defaults = buildDefaults(servers, outside, settings);
  return Object.fromEntries(
    serviceNames.map((name) => {
      const values = {
        ...defaults,
        ...resolveSettings(name, settings),
        ...buildFixedVariables(name, servers, outside),
      };
      return [name, pick(values, configs[name]?.variables ?? [])];
    }),
  );
}

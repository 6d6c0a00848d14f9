import { serviceNames } from '@tds/provisioning';
import type { Servers } from './servers.ts';

/** What services need to know of the servers. */
export type ServerAddresses = Pick<Servers, 'databases' | 'secretOf'> & {
  readonly nats: Pick<Servers['nats'], 'servers' | 'seedOf'>;
  readonly objects: Pick<Servers['objects'], 'urlOf'>;
  readonly redis: Pick<Servers['redis'], 'urlOf'>;
  readonly redisCache: Pick<Servers['redisCache'], 'urlOf'>;
};

export type Outside = {
  /** Where people reach the gateway. */
  readonly port: number;
  readonly platformOrigin: string;
  readonly smtpUrl: string;
  readonly paymentOrigin: string;
};

/** Unless the shell says otherwise. Nobody farms accounts on their own machine, which may have no network either. */
const byDefault = {
  LOG_LEVEL: 'warn',
  SIGNUP_PER_NETWORK_PER_HOUR: '10000',
  SIGNUP_PER_NETWORK_PER_DAY: '100000',
  CHECKOUTS_PER_NETWORK_PER_HOUR: '10000',
  MAIL_DNS: 'off',
};

/** What is the same for every service of a local run. */
const shared = ({ nats }: ServerAddresses, publicUrl: string): NodeJS.ProcessEnv => ({
  NATS_URL: nats.servers,
  PUBLIC_URL: publicUrl,
  HEALTH_PORT: '0',
});

/** The simulator is its own Data API; beside the real platform there is the real one. */
const dataApi = ({ platformOrigin }: Outside, inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  inherited.PLATFORM_ORIGIN === undefined && inherited.PLATFORM_DATA_API_ORIGIN === undefined
    ? { PLATFORM_DATA_API_ORIGIN: platformOrigin }
    : {};

/** What gateway and identity share, and nobody else. */
const keyRingOf = ({ secretOf }: ServerAddresses) => ({
  KEY_RING: `local:${secretOf('key ring of gateway and identity')}`,
});

/** What the payment processor signs events with; whoever simulates it has to know. */
export const paymentSecretOf = ({ secretOf }: Pick<ServerAddresses, 'secretOf'>): string =>
  secretOf('payment webhook secret');

const billingOf = (servers: ServerAddresses, { paymentOrigin }: Outside, inherited: NodeJS.ProcessEnv) => ({
  STRIPE_API_ORIGIN: paymentOrigin,
  STRIPE_SECRET_KEY: inherited.STRIPE_SECRET_KEY ?? 'sk_test_of_the_simulator',
  STRIPE_WEBHOOK_SECRETS: inherited.STRIPE_WEBHOOK_SECRETS ?? paymentSecretOf(servers),
});

/** The processor's secrets are for one service. */
const withoutPayment = (inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(inherited).filter(([name]) => !name.startsWith('STRIPE_')));

/** What gateway and webhook-dispatcher share, and nobody else. */
const webhookKeyRingOf = ({ secretOf }: ServerAddresses) => ({
  WEBHOOK_KEY_RING: `local:${secretOf('key ring of gateway and webhook-dispatcher')}`,
});

/** Receivers of webhooks on this machine, as the one of the local run is. */
const localReceivers = ({ NODE_ENV, WEBHOOK_LOCAL_RECEIVERS }: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  WEBHOOK_LOCAL_RECEIVERS: WEBHOOK_LOCAL_RECEIVERS ?? (NODE_ENV === 'production' ? '0' : '1'),
});

const own = (
  servers: ServerAddresses,
  outside: Outside,
  publicUrl: string,
  inherited: NodeJS.ProcessEnv,
): Readonly<Record<string, NodeJS.ProcessEnv>> => ({
  billing: billingOf(servers, outside, inherited),
  'credits-ledger': { BUY_URL: `${publicUrl}/v1/checkout` },
  gateway: {
    PORT: String(outside.port),
    REPLAY_SECRET: servers.secretOf('gateway replay secret'),
    ...keyRingOf(servers),
    ...webhookKeyRingOf(servers),
  },
  identity: {
    SMTP_URL: outside.smtpUrl,
    PEPPER: servers.secretOf('identity pepper'),
    ...keyRingOf(servers),
  },
  'monitor-scheduler': { PLATFORM_ORIGIN: outside.platformOrigin },
  search: { PLATFORM_ORIGIN: outside.platformOrigin, ...dataApi(outside, inherited) },
  'transcript-fetcher': { PLATFORM_ORIGIN: outside.platformOrigin },
  'webhook-dispatcher': { ...webhookKeyRingOf(servers), ...localReceivers(inherited) },
});

/** The environment of every service, by its name. What the caller has set in the shell wins, but for addresses. */
export function environments(
  servers: ServerAddresses,
  outside: Outside,
  inherited: NodeJS.ProcessEnv = {},
): Record<string, NodeJS.ProcessEnv> {
  const publicUrl = inherited.PUBLIC_URL ?? `http://127.0.0.1:${outside.port}`;
  const owned = own(servers, outside, publicUrl, inherited);
  return Object.fromEntries(
    serviceNames.map((name) => [
      name,
      {
        ...byDefault,
        ...withoutPayment(inherited),
        ...shared(servers, publicUrl),
        NATS_NKEY_SEED: servers.nats.seedOf(name),
        REDIS_URL: servers.redis.urlOf(name),
        REDIS_CACHE_URL: servers.redisCache.urlOf(name),
        DATABASE_URL: servers.databases[name]?.url,
        OBJECTS_DATABASE_URL: servers.objects.urlOf(name),
        ...owned[name],
      },
    ]),
  );
}

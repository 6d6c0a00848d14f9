import type { Servers } from './servers.ts';
import { serviceNames } from './services.ts';

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
};

/** Unless the shell says otherwise. Nobody farms free accounts on their own machine, which may have no network either. */
const byDefault = {
  LOG_LEVEL: 'warn',
  SIGNUP_PER_NETWORK_PER_HOUR: '10000',
  SIGNUP_PER_NETWORK_PER_DAY: '100000',
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

const own = (
  servers: ServerAddresses,
  outside: Outside,
  publicUrl: string,
  inherited: NodeJS.ProcessEnv,
): Readonly<Record<string, NodeJS.ProcessEnv>> => ({
  'credits-ledger': { BUY_URL: `${publicUrl}/v1/checkout` },
  gateway: {
    PORT: String(outside.port),
    REPLAY_SECRET: servers.secretOf('gateway replay secret'),
    ...keyRingOf(servers),
  },
  identity: {
    SMTP_URL: outside.smtpUrl,
    PEPPER: servers.secretOf('identity pepper'),
    ...keyRingOf(servers),
  },
  search: { PLATFORM_ORIGIN: outside.platformOrigin, ...dataApi(outside, inherited) },
  'transcript-fetcher': { PLATFORM_ORIGIN: outside.platformOrigin },
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
        ...inherited,
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

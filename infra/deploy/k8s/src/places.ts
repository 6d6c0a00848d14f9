import { PORTS } from '@tds/docker';
import { storedServiceNames } from '@tds/provisioning';

export const overlays = ['dev', 'single-node', 'ha'] as const;
export type Overlay = (typeof overlays)[number];

/** Where the servers of an installation are. */
export type Places = {
  readonly brokers: readonly string[];
  /** The servers of Postgres by their names, and the databases on each; one server has all. */
  readonly postgres: Readonly<
    Record<string, { readonly host: string; readonly databases?: readonly string[] }>
  >;
  /** Of the addresses of databases. */
  readonly sslmode: string;
};

const own: Places = { brokers: ['nats'], postgres: { postgres: { host: 'postgres' } }, sslmode: 'disable' };

const money = ['credits-ledger', 'billing'];
const work = ['transcript-fetcher', 'objects'];
const rest = storedServiceNames.filter((name) => ![...money, ...work].includes(name));
/** The databases of each cluster in `overlays/ha/postgres.yaml`. */
const haDatabases = { 'postgres-money': money, 'postgres-work': work, 'postgres-rest': rest };

/** CloudNativePG signs with an authority of its own: connections are encrypted, and policies say who answers. */
const ha: Places = {
  brokers: [0, 1, 2].map((index) => `nats-${index}.nats`),
  postgres: Object.fromEntries(
    Object.entries(haDatabases).map(([name, databases]) => [name, { host: `${name}-rw`, databases }]),
  ),
  sslmode: 'no-verify',
};

export const placesOf = (overlay: Overlay): Places => (overlay === 'ha' ? ha : own);

const brokersOf = ({ brokers }: Places) => ({
  NATS_URL: brokers.map((name) => `${name}:${PORTS.nats}`).join(','),
  EVENTS_REPLICAS: String(brokers.length),
});

const publicUrl = 'https://transcripts.example.com';
/** The settings of every overlay; an installation changes them in an overlay of its own. */
export const baseSettings: Readonly<Record<string, string>> = {
  NODE_ENV: 'production',
  LOG_LEVEL: 'info',
  PUBLIC_URL: publicUrl,
  BUY_URL: `${publicUrl}/buy`,
  SUPPORT_EMAIL: 'support@transcripts.example.com',
  MAIL_FROM: 'no-reply@transcripts.example.com',
  PLATFORM_ORIGIN: 'https://www.youtube.com',
  STRIPE_API_ORIGIN: 'https://api.stripe.com',
  TRUSTED_PROXIES: '10.0.0.0/8',
  DRAIN_TIME: '5s',
  ...brokersOf(own),
};

const localUrl = `http://127.0.0.1:${PORTS.http}`;
const platform = `http://platform-simulator:${PORTS.platform}`;
/** What an overlay changes of them. */
export const settingsOf: Readonly<Record<Overlay, Readonly<Record<string, string>>>> = {
  dev: {
    NODE_ENV: 'development',
    PUBLIC_URL: localUrl,
    BUY_URL: `${localUrl}/buy`,
    PLATFORM_ORIGIN: platform,
    PLATFORM_DATA_API_ORIGIN: platform,
    STRIPE_API_ORIGIN: `http://payment-simulator:${PORTS.payments}`,
    SIGNUP_PER_NETWORK_PER_HOUR: '10000',
    SIGNUP_PER_NETWORK_PER_DAY: '100000',
    CHECKOUTS_PER_HOUR: '10000',
    PUBLIC_REQUESTS_PER_MINUTE: '10000',
    MAIL_DNS: 'off',
  },
  'single-node': {},
  ha: brokersOf(ha),
};

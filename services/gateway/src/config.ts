import { BlockList, isIP } from 'node:net';
import { REDIS_GUARD_MS, supportEmail } from '@tds/contracts';
import {
  booleanFlag,
  commaSeparated,
  durationMs,
  type KeyRing,
  keyRing,
  loadConfig,
  port,
  secret,
  url,
  wholeNumber,
} from '@tds/service-kit';
import { z } from 'zod';

const DEFAULT_PORT = '8080';
const REPLAY_SECRET_CHARACTERS = 32;

/** Comma-separated addresses and CIDR ranges whose X-Forwarded-For is believed. */
const trustedProxies = commaSeparated().refine(
  (entries) => entries.every(isRange),
  'expected addresses or CIDR ranges, separated by commas',
);

function isRange(entry: string): boolean {
  const [address = '', prefix] = entry.split('/');
  const family = isIP(address);
  if (family === 0) return false;
  if (prefix === undefined) return true;
  try {
    new BlockList().addSubnet(
      address,
      /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1,
      family === 4 ? 'ipv4' : 'ipv6',
    );
    return true;
  } catch {
    // The prefix is out of range.
    return false;
  }
}

export const environmentSchema = z.object({
  PORT: port().default(Number(DEFAULT_PORT)),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: url('http', 'https').optional(),
  SUPPORT_EMAIL: supportEmail,
  COOKIE_SECURE: booleanFlag().optional(),
  TRUSTED_PROXIES: trustedProxies.optional(),
  FAILED_CREDENTIALS_PER_MINUTE: wholeNumber({ min: 1, max: 1_000_000 }).default(30),
  MAX_CONNECTIONS: wholeNumber({ min: 1, max: 1_000_000 }).default(10_000),
  REDIS_WAIT: durationMs().default(REDIS_GUARD_MS),
  STREAM_LIFE: durationMs().default(25_000),
  REPLAY_SECRET: secret({ minLength: REPLAY_SECRET_CHARACTERS }),
  KEY_RING: keyRing(),
  WEBHOOK_KEY_RING: keyRing(),
  LOG_LEVEL: z.enum(['info', 'warn', 'error', 'silent']).default('info'),
});

const isLocalHttp = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
};

export type GatewayConfig = {
  readonly port: number;
  readonly host: string;
  /** The origin under which callers reach the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Where customers write to. */
  readonly supportEmail: string;
  readonly cookieSecure: boolean;
  readonly trustedProxies: readonly string[];
  /** Of one network, before nobody is asked about its next ones. */
  readonly failedCredentialsPerMinute: number;
  readonly maxConnections: number;
  /** Two later answers in a row are those of a Redis that is away. */
  readonly redisWaitMs: number;
  /** How long a progress stream lasts: shorter than a revoked key may go on working. */
  readonly streamLifeMs: number;
  /** From which the secrets of keys are derived that a request with an Idempotency-Key makes. */
  readonly replaySecret: z.output<typeof environmentSchema>['REPLAY_SECRET'];
  /** By which identity's word is known, and a sign-in code is shown to it without being said. */
  readonly keyRing: KeyRing;
  /** With which secrets of webhooks are sealed for webhook-dispatcher. */
  readonly webhookKeyRing: KeyRing;
  readonly logLevel: 'info' | 'warn' | 'error' | 'silent';
};

export const readConfig = (environment: NodeJS.ProcessEnv): GatewayConfig => {
  const given = loadConfig(environmentSchema, environment, { service: 'gateway' });
  const publicUrl = (given.PUBLIC_URL ?? `http://127.0.0.1:${given.PORT}`).replace(/\/+$/, '');
  return {
    port: given.PORT,
    host: given.HOST,
    publicUrl,
    supportEmail: given.SUPPORT_EMAIL,
    // Browsers drop Secure cookies on plain http, so a person who tries the service locally gets one without.
    cookieSecure: given.COOKIE_SECURE ?? !isLocalHttp(publicUrl),
    trustedProxies: given.TRUSTED_PROXIES ?? [],
    failedCredentialsPerMinute: given.FAILED_CREDENTIALS_PER_MINUTE,
    maxConnections: given.MAX_CONNECTIONS,
    redisWaitMs: given.REDIS_WAIT,
    streamLifeMs: given.STREAM_LIFE,
    replaySecret: given.REPLAY_SECRET,
    keyRing: given.KEY_RING,
    webhookKeyRing: given.WEBHOOK_KEY_RING,
    logLevel: given.LOG_LEVEL,
  };
};

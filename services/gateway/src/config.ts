import { BlockList, isIP } from 'node:net';
import {
  baseUrl,
  booleanFlag,
  commaSeparated,
  durationMs,
  keyRing,
  loadConfig,
  port,
  reachable,
  secret,
  wholeNumber,
} from '@tds/base';
import { REDIS_GUARD_MS, supportEmail, videoId } from '@tds/contracts';
import { playerOrigin } from '@tds/platform-addresses';
import { VIDEO } from '@tds/site';
import { z } from 'zod';

const REPLAY_SECRET_CHARACTERS = 32;

/** 10.0.0.0/8 and fc00::/7 are the widest private networks. */
const WIDEST = { ipv4: 8, ipv6: 7 } as const;

const trustedProxies = commaSeparated().refine(
  (entries) => entries.every(isRange),
  `expected addresses or CIDR ranges, separated by commas: IPv4 from /${WIDEST.ipv4} on and never in the form of IPv6, IPv6 from /${WIDEST.ipv6} on`,
);

/** No range that holds all of IPv4, or writes IPv4 as IPv6, whose bits count from elsewhere. */
function isRange(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  const [family, bits] = version === 4 ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
  const length = prefix === undefined ? bits : Number(/^\d{1,3}$/.test(prefix) ? prefix : 'NaN');
  if (!(length >= WIDEST[family] && length <= bits)) return false;
  if (family === 'ipv4') return true;
  const [range, mapped] = [new BlockList(), new BlockList()];
  range.addSubnet(address, length, family);
  mapped.addSubnet('::ffff:0:0', 96, family);
  return !range.check('::ffff:0:0', family) && !mapped.check(address, family);
}

const fields = z.object({
  NODE_ENV: z.string().optional(),
  PORT: port().default(8_080),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: baseUrl('http', 'https').optional(),
  SUPPORT_EMAIL: supportEmail,
  EXAMPLE_VIDEO: videoId.default(VIDEO),
  PLATFORM_ORIGIN: baseUrl('http', 'https').default('https://www.youtube.com'),
  COOKIE_SECURE: booleanFlag().optional(),
  TRUSTED_PROXIES: trustedProxies.optional(),
  FAILED_CREDENTIALS_PER_MINUTE: wholeNumber({ min: 1, max: 1_000_000 }).default(30),
  PUBLIC_REQUESTS_PER_MINUTE: wholeNumber({ min: 1, max: 1_000_000 }).default(120),
  MAX_CONNECTIONS: wholeNumber({ min: 1, max: 1_000_000 }).default(10_000),
  REDIS_WAIT: durationMs().default(REDIS_GUARD_MS),
  STREAM_LIFE: durationMs().default(25_000),
  DRAIN_TIME: durationMs().default(1_000),
  REPLAY_SECRET: secret({ minLength: REPLAY_SECRET_CHARACTERS }),
  KEY_RING: keyRing(),
  WEBHOOK_KEY_RING: keyRing(),
  BUILT_DIR: z.string().optional(),
  LOG_LEVEL: z.enum(['info', 'warn', 'error', 'silent']).default('info'),
});

export const environmentSchema = fields.superRefine(reachable('SUPPORT_EMAIL', 'PUBLIC_URL'));

const isLocalHttp = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
};

export const readConfig = (environment: NodeJS.ProcessEnv) => {
  const values = loadConfig(environmentSchema, environment, { service: 'gateway' });
  const publicUrl = values.PUBLIC_URL ?? `http://127.0.0.1:${values.PORT}`;
  return {
    port: values.PORT,
    host: values.HOST,
    /** The public origin, without a trailing slash. */
    publicUrl,
    supportEmail: values.SUPPORT_EMAIL,
    exampleVideo: values.EXAMPLE_VIDEO,
    /** The origin that the dashboard may show in a frame. */
    player: playerOrigin(values.PLATFORM_ORIGIN),
    // Browsers drop Secure cookies on plain http, so local runs set cookies without it.
    cookieSecure: values.COOKIE_SECURE ?? !isLocalHttp(publicUrl),
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    /** Per network and process, without a credential. */
    publicRequestsPerMinute: values.PUBLIC_REQUESTS_PER_MINUTE,
    /** Per network. Beyond it identity is not asked about further credentials of the network. */
    failedCredentialsPerMinute: values.FAILED_CREDENTIALS_PER_MINUTE,
    maxConnections: values.MAX_CONNECTIONS,
    /** Redis counts as away after two answers in a row that take longer. */
    redisWaitMs: values.REDIS_WAIT,
    /** Must be shorter than the time for which a revoked key may go on working. */
    streamLifeMs: values.STREAM_LIFE,
    /** How long a stopping gateway serves the connections that are open. */
    drainMs: values.DRAIN_TIME,
    /** The secrets of keys created with an Idempotency-Key are derived from it. */
    replaySecret: values.REPLAY_SECRET,
    /** Shared with identity: verifies what identity writes to Redis, and signs sign-in codes. */
    keyRing: values.KEY_RING,
    /** Shared with webhook-dispatcher: encrypts webhook secrets. */
    webhookKeyRing: values.WEBHOOK_KEY_RING,
    /** The folder that the bootstrap has built. Without it there are no dashboard and no downloads. */
    builtDir: values.BUILT_DIR,
    logLevel: values.LOG_LEVEL,
  };
};
export type GatewayConfig = Readonly<ReturnType<typeof readConfig>>;

import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(ALPHABET.length);
const SECRET_BYTES = 32;
/** 62^43 is just above 2^256, and 62^6 above 2^32. */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const DISPLAY_PREFIX_LENGTH = 12;

const KEY_PREFIX = 'svc_live_';
/** Of the access tokens of connected apps. */
const ACCESS_TOKEN_PREFIX = 'svc_conn_';
/** That of Standard Webhooks, whose libraries take what follows as base64. */
const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** How secrets of ours begin, and which cookies hold them: what no log may show. */
export const secretNames = {
  prefixes: [KEY_PREFIX, ACCESS_TOKEN_PREFIX, WEBHOOK_SECRET_PREFIX],
  cookies: ['svc_dashboard', 'svc_device'],
} as const;

/** What secret scanners look for; not anchored, so that it finds keys and access tokens inside other text. */
export const apiKeyPattern = /svc_(?:live|conn)_[0-9A-Za-z]{49}/;

const wholeCredential = new RegExp(`^${apiKeyPattern.source}$`);

const toBase62 = (value: bigint, length: number): string => {
  let remainder = value;
  let text = '';
  for (let place = 0; place < length; place += 1) {
    text = ALPHABET.charAt(Number(remainder % BASE)) + text;
    remainder /= BASE;
  }
  return text;
};

/** CRC-32 in base62. Every request computes it, and numbers are many times faster than big integers. */
const checksum = (text: string): string => {
  let remainder = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = ALPHABET.charAt(remainder % ALPHABET.length) + digits;
    remainder = Math.floor(remainder / ALPHABET.length);
  }
  return digits;
};

const createCredential = (prefix: string, random: (size: number) => Buffer): string => {
  const body = prefix + toBase62(BigInt(`0x${random(SECRET_BYTES).toString('hex')}`), SECRET_LENGTH);
  return body + checksum(body);
};

/** A new API key: the prefix, 256 random bits in 43 base62 characters, and a CRC-32 of both in six. */
export const createApiKey = (random: (size: number) => Buffer = randomBytes): string =>
  createCredential(KEY_PREFIX, random);

/** A new access token of a connected app: like a key, so that the same scanners and checks know it. */
export const createAccessToken = (): string => createCredential(ACCESS_TOKEN_PREFIX, randomBytes);

export const isAccessToken = (text: string): boolean => text.startsWith(ACCESS_TOKEN_PREFIX);

/** Whether the text can be a key or an access token at all: refuses typing errors and invented ones before any look-up. */
export const isWellFormedCredential = (text: string): boolean =>
  wholeCredential.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);

/** What stands for a secret on the bus and in projections: SHA-256, hex. Enough for 256 random bits, never for codes. */
export const digestSecret = (secret: string): string => hash('sha256', secret);

/** The 12 characters that label a key in listings. They do not identify it: only three of them are random. */
export const displayPrefix = (key: string): string => key.slice(0, DISPLAY_PREFIX_LENGTH);

/** A new session token: 256 random bits in base64url. */
export const createSessionToken = (random: (size: number) => Buffer = randomBytes): string =>
  random(SECRET_BYTES).toString('base64url');

/** A new secret that webhooks are signed with: the prefix and 256 random bits in base64. */
export const createWebhookSecret = (random: (size: number) => Buffer = randomBytes): string =>
  WEBHOOK_SECRET_PREFIX + random(SECRET_BYTES).toString('base64');

/** The bytes behind the prefix, which Standard Webhooks signs with. */
export const webhookSecretBytes = (secret: string): Buffer =>
  Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64');

/** What gateways seal these secrets for, with the key ring that they share with webhook-dispatcher alone. */
export const WEBHOOK_SECRETS = 'webhook-secrets';

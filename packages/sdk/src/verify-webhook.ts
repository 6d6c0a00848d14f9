import type { WebhookEvent } from './api.ts';
import { WebhookVerificationError } from './errors.ts';

type HeadersLike = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;
export type VerifyOptions = {
  /** How far the timestamp may be off, before and after. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. */
  readonly now?: number;
};

const FIVE_MINUTES = 300;
const utf8 = new TextEncoder();

const headerOf = (headers: HeadersLike, name: string): string => {
  if (typeof headers.get === 'function') return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([given]) => given.toLowerCase() === name);
  return String(found?.[1] ?? '');
};

const isSigned = async (
  secret: string,
  signature: Uint8Array<ArrayBuffer>,
  text: Uint8Array<ArrayBuffer>,
) => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', utf8.encode(secret), algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, signature, text); // in constant time
};

/**
 * The event of a webhook request. `body` is the raw body, before anything parses it. Give the old and the new secret while you
 * rotate. Throws a `WebhookVerificationError` if no secret has signed it or if its timestamp is too far off.
 */
export const verifyWebhook = async (
  body: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secret: string | readonly string[],
  { toleranceSeconds = FIVE_MINUTES, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> => {
  const timestamp = headerOf(headers, 'x-service-timestamp');
  const hex = /^v1=([0-9a-f]{64})$/.exec(headerOf(headers, 'x-service-signature'))?.[1];
  if (!hex || !/^\d{1,15}$/.test(timestamp)) throw new WebhookVerificationError('The request is not signed');
  if (Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('The timestamp is too far off: it may be a replay');
  const raw = typeof body === 'string' ? utf8.encode(body) : new Uint8Array(body);
  const start = utf8.encode(`${timestamp}.`);
  const text = new Uint8Array(start.length + raw.length);
  text.set(start);
  text.set(raw, start.length);
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  // An empty secret is a setting that is missing, and would let anyone sign.
  for (const one of [secret].flat())
    if (one && (await isSigned(one, signature, text))) return JSON.parse(new TextDecoder().decode(raw));
  throw new WebhookVerificationError('The signature is another one');
};

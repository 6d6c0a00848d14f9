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
  const entry = Object.entries(headers).find(([field]) => field.toLowerCase() === name);
  return String(entry?.[1] ?? '');
};

const isSigned = async (secret: string, signature: Uint8Array<ArrayBuffer>, text: Uint8Array<ArrayBuffer>) => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', utf8.encode(secret), algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, signature, text); // in constant time
};

const refuse = (message: string): never => {
  throw new WebhookVerificationError(message);
};

/** By their tags: Jest and workers have buffers of other realms. */
const toBytes = (body: unknown): Uint8Array<ArrayBuffer> => {
  if (typeof body === 'string') return utf8.encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]')
    return new Uint8Array(body as ArrayBuffer);
  return refuse('The body is parsed already: give the raw body, as it was received');
};

const signedText = (timestamp: string, raw: Uint8Array): Uint8Array<ArrayBuffer> => {
  const start = utf8.encode(`${timestamp}.`);
  const text = new Uint8Array(start.length + raw.length);
  text.set(start);
  text.set(raw, start.length);
  return text;
};

/**
 * The event of a webhook request. `body` is the raw body, before anything parses it. Give the old and the new secret while you
 * rotate. Throws a `WebhookVerificationError` that names the mistake if no secret has signed it or if its timestamp is too far off.
 */
export const verifyWebhook = async (
  body: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secret: string | readonly string[],
  { toleranceSeconds = FIVE_MINUTES, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> => {
  const raw = toBytes(body);
  // An empty secret is a setting that is missing, and would let anyone sign.
  const secrets = [secret].flat().filter((one) => typeof one === 'string' && one.trim() !== '');
  if (secrets.length === 0) return refuse('There is no secret: give that of the webhook, whsec_...');
  const timestamp = headerOf(headers, 'x-service-timestamp');
  const hex = /^v1=([0-9a-f]{64})$/.exec(headerOf(headers, 'x-service-signature'))?.[1];
  if (!hex || !/^\d{1,15}$/.test(timestamp)) return refuse('The request is not signed');
  if (Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds)
    return refuse('The timestamp is too far off: it may be a replay');
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const isSignedBy = async (candidates: readonly string[], bytes: Uint8Array): Promise<boolean> => {
    for (const one of candidates) if (await isSigned(one, signature, signedText(timestamp, bytes))) return true;
    return false;
  };
  const text = new TextDecoder().decode(raw);
  if (await isSignedBy(secrets, raw)) return JSON.parse(text);
  if (secrets.some((one) => one !== one.trim()))
    return refuse('The secret has white space around it: give it without');
  if (text !== text.trim() && (await isSignedBy(secrets, utf8.encode(text.trim()))))
    return refuse('The body has white space that was not sent: give it as it was received');
  return refuse('The signature is another one: the secret is of another webhook, or the body was changed');
};

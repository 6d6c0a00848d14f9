import { createHmac, timingSafeEqual } from 'node:crypto';

const SHORT_WINDOW_SECONDS = 300;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * What every receiver does before it parses: the signature is right, compared in constant time, and the timestamp is of the
 * last five minutes. `body` is the raw body.
 */
export const verifyWebhook = (secret: string, headers: Headers, body: Buffer, now = Date.now()): boolean => {
  const timestamp = String(headers['x-service-timestamp']);
  const signature = Buffer.from(String(headers['x-service-signature']));
  const mac = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  const expected = Buffer.from(`v1=${mac}`);
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return false;
  return Math.abs(now / 1_000 - Number(timestamp)) <= SHORT_WINDOW_SECONDS;
};

/** The same for the headers of Standard Webhooks. */
export const verifyStandardWebhook = (secret: string, headers: Headers, body: Buffer): boolean => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  const mac = createHmac('sha256', key).update(signed).update(body).digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${mac}`);
};

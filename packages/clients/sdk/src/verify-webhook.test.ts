import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { verifyWebhook, WebhookVerificationError } from './index.ts';

type Vector = { readonly secret: string; readonly body: string; readonly headers: Record<string, string> };
const vectors = JSON.parse(
  readFileSync(new URL('../../../web/site/content/webhook-vectors.json', import.meta.url), 'utf8'),
) as readonly Vector[];
const timeOf = ({ headers }: Vector) => 1_000 * Number(headers['x-service-timestamp']);
const [first] = vectors as readonly [Vector];
const refused = (
  body: string | Uint8Array,
  headers: object,
  secret: string | string[] = first.secret,
  now = timeOf(first),
) =>
  expect(verifyWebhook(body, headers as Record<string, string>, secret, { now })).rejects.toThrow(
    WebhookVerificationError,
  );

describe('verifyWebhook', () => {
  it.each(vectors)('takes the documented request of $headers.x-service-event', async (vector) => {
    const event = await verifyWebhook(vector.body, vector.headers, vector.secret, { now: timeOf(vector) });
    expect(event).toEqual(JSON.parse(vector.body));
  });

  it('takes bytes, and headers as Headers or in any case', async () => {
    const options = { now: timeOf(first) };
    const bytes = Buffer.from(first.body);
    const upper = Object.fromEntries(
      Object.entries(first.headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    for (const headers of [new Headers(first.headers), upper])
      expect(await verifyWebhook(bytes, headers, first.secret, options)).toEqual(JSON.parse(first.body));
  });

  it('takes either secret while it is rotated', async () => {
    const event = await verifyWebhook(first.body, first.headers, ['whsec_new', first.secret], {
      now: timeOf(first),
    });
    expect(event.type).toBe('webhook.test');
  });

  it('refuses another body, another secret, no secret and another timestamp', async () => {
    await refused(`${first.body} `, first.headers);
    await refused(first.body, first.headers, 'whsec_other');
    await refused(first.body, first.headers, []);
    const timestamp = String(Number(first.headers['x-service-timestamp']) + 1);
    await refused(first.body, { ...first.headers, 'x-service-timestamp': timestamp });
  });

  const { body, secret } = first;
  it.each<[string, unknown, unknown, string]>([
    ['a parsed body', JSON.parse(body), secret, 'The body is parsed already'],
    ['no body', undefined, secret, 'The body is parsed already'],
    ['a missing setting', body, undefined, 'There is no secret'],
    ['an empty setting', body, ' ', 'There is no secret'],
    ['a list of missing settings', body, [undefined, ''], 'There is no secret'],
    ['a secret with its line end', body, `${secret}\n`, 'The secret has white space'],
    ['a body with a line end', `${body}\n`, secret, 'The body has white space'],
    ['another secret', body, 'whsec_other', 'The signature is another one'],
  ])('names the mistake of %s', async (_what, given, key, message) => {
    const verified = verifyWebhook(given as string, first.headers, key as string, { now: timeOf(first) });
    await expect(verified).rejects.toThrow(WebhookVerificationError);
    await expect(verified).rejects.toThrow(message);
  });

  it('refuses what an empty secret has signed', async () => {
    const timestamp = String(timeOf(first) / 1_000);
    const mac = createHmac('sha256', '').update(`${timestamp}.${first.body}`).digest('hex');
    await refused(first.body, { 'x-service-timestamp': timestamp, 'x-service-signature': `v1=${mac}` }, '');
  });

  it('refuses a timestamp that is more than five minutes off, before and after', async () => {
    const [old, early] = [timeOf(first) + 301_000, timeOf(first) - 301_000];
    await refused(first.body, first.headers, first.secret, old);
    await refused(first.body, first.headers, first.secret, early);
    const options = { now: old, toleranceSeconds: 600 };
    expect((await verifyWebhook(first.body, first.headers, first.secret, options)).type).toBe('webhook.test');
  });

  it.each([
    {},
    { 'x-service-timestamp': '1768478400' },
    { 'x-service-signature': 'v1=00' },
    { 'x-service-timestamp': 'NaN', 'x-service-signature': `v1=${'0'.repeat(64)}` },
    { 'x-service-timestamp': '1e9', 'x-service-signature': `v1=${'0'.repeat(64)}` },
  ])('refuses headers like %j', async (headers) => refused(first.body, headers));
});

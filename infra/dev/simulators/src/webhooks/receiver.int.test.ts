import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWebhookReceiver, type WebhookReceiver } from './receiver.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const BODY = '{"type":"webhook.test","data":"<b>&"}';

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver({ capacity: 5 });
});
afterAll(() => receiver.stop());

const signed = (secret: string) => {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const mac = createHmac('sha256', secret).update(`${timestamp}.${BODY}`).digest('hex');
  const standard = createHmac('sha256', key).update(`one.${timestamp}.${BODY}`).digest('base64');
  return {
    'x-service-event': 'webhook.test',
    'x-service-delivery': 'one',
    'x-service-timestamp': timestamp,
    'x-service-signature': `v1=${mac}`,
    'webhook-id': 'one',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  };
};
const post = (path: string, headers: Record<string, string> = {}) =>
  fetch(receiver.hookUrl + path, { method: 'POST', headers, body: BODY, redirect: 'manual' });

describe('the receiver', () => {
  it('says of each request whether a secret that it knows has signed it, also if it knows it since', async () => {
    await post('/signed', signed(SECRET));
    receiver.addSecret(SECRET);
    await post('/signed', signed(SECRET));
    await post('/signed', signed('whsec_AAAA'));
    expect(receiver.received('/signed').map(({ isVerified }) => isVerified)).toEqual([true, true, false]);
  });

  it('obeys the script of a path, and then its last word', async () => {
    receiver.script([500, 'redirect', 204], '/scripted');
    const statuses: number[] = [];
    for (let time = 0; time < 4; time += 1) statuses.push((await post('/scripted')).status);
    expect(statuses).toEqual([500, 301, 204, 204]);
    await expect(post('?script=reset')).rejects.toThrow();
    expect((await post('?script=nonsense,503')).status).toBe(200);
  });

  it('keeps the newest only, and shows them as text', async () => {
    for (let time = 0; time < 6; time += 1) await post('/shown', signed(SECRET));
    expect(receiver.received()).toHaveLength(5);
    const page = await (await fetch(receiver.url)).text();
    expect(page).toContain('signature verified');
    expect(page).toContain('&lt;b&gt;&amp;');
    const listed = (await (await fetch(`${receiver.url}/received`)).json()) as unknown[];
    expect(listed).toHaveLength(5);
  });

  it('takes a secret from its page', async () => {
    const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
    const body = new URLSearchParams({ secret });
    expect((await fetch(`${receiver.url}/secrets`, { method: 'POST', body, redirect: 'manual' })).status).toBe(
      303,
    );
    await post('/page', signed(secret));
    expect(receiver.received('/page')).toMatchObject([{ isVerified: true }]);
  });
});

it('shows the address that it is published at, and takes webhooks there', async () => {
  const { url: publicOrigin, stop } = await startWebhookReceiver();
  await stop();
  const published = await startWebhookReceiver({ publicOrigin });
  expect(published.hookUrl).toBe(`${publicOrigin}/hooks`);
  expect((await fetch(published.hookUrl, { method: 'POST', body: BODY })).status).toBe(200);
  expect(await (await fetch(published.url)).text()).toContain(published.hookUrl);
  expect(published.received()).toHaveLength(1);
  await published.stop();
});

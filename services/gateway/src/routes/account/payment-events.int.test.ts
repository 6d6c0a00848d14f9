import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { eventually } from '@tds/test-kit';
import { rawRequest } from '../../test-support/raw-http.ts';
import { type SentEvent, sendEvent as send, signedAt } from '../../test-support/send-event.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

let harness: TestGateway;
beforeAll(async () => {
  harness = await startTestGateway();
});
afterAll(() => harness.stop());
beforeEach(() => {
  harness.billing.asked.length = 0;
});
const sendEvent = (event: SentEvent) => send(harness.url, event);

describe('POST /v1/billing/payment', () => {
  it('passes on the exact bytes of the body without parsing it', async () => {
    const body = '{ "id" : "evt_1",\n"text":"\\u00fc \u00fc" }';
    expect(await sendEvent({ body })).toEqual({ status: 200, code: 'ok' });
    expect(harness.billing.asked[0]?.request).toEqual({
      body,
      signature: expect.stringMatching(/^t=\d+,v1=00$/),
    });
  });

  it.each<[string, SentEvent, number, string]>([
    ['no length', { chunked: true }, 400, 'payment_content_length_invalid'],
    ['2 MB', { body: Buffer.alloc(2_000_000, 0x20) }, 413, 'payment_body_too_large'],
    [
      'bytes that are no UTF-8',
      { body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) },
      400,
      'payment_body_invalid_utf8',
    ],
    ['gzip', { headers: { 'content-encoding': 'gzip' } }, 415, 'unsupported_media_type'],
    ['another type', { headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    ['an empty signature', { headers: { 'stripe-signature': '' } }, 400, 'payment_event_invalid'],
    [
      'two signatures',
      { headers: { 'stripe-signature': [signedAt(), signedAt()] } },
      400,
      'payment_event_invalid',
    ],
    [
      'a signature without end',
      { headers: { 'stripe-signature': signedAt() + 'x'.repeat(5_000) } },
      400,
      'payment_event_invalid',
    ],
  ])('rejects %s', async (_what, raw, status, code) => {
    expect(await sendEvent(raw)).toEqual({ status, code });
    expect(harness.billing.asked).toEqual([]);
  });
});

describe('unsigned payment events', () => {
  const PROCESSOR = '203.0.113.7';
  const STRANGER = '198.51.100.7';
  const FAILURES = 5;
  const garbage = { id: 'garbage' };
  let guarded: TestGateway;
  beforeAll(async () => {
    guarded = await startTestGateway({
      environment: { TRUSTED_PROXIES: '127.0.0.1', FAILED_CREDENTIALS_PER_MINUTE: String(FAILURES) },
    });
    guarded.billing.commands.receivePaymentEvent = async ({ body }) => {
      if (body.includes(garbage.id)) throw serviceError('payment_event_invalid');
      return { isNew: true };
    };
  });
  afterAll(() => guarded.stop());
  const sendFrom = (address: string, body: object = { id: 'evt_1' }) =>
    send(guarded.url, { headers: { 'x-forwarded-for': address }, body: JSON.stringify(body) });
  /** The head of an event whose body never comes. */
  const sendHead = async (address: string, signature: string) => {
    const { hostname, port } = new URL(guarded.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    await once(socket, 'connect');
    const head = rawRequest('POST /v1/billing/payment', [
      `X-Forwarded-For: ${address}`,
      `Stripe-Signature: ${signature}`,
      'Content-Type: application/json',
      'Content-Length: 1000',
    ]);
    socket.write(head.replace('Connection: close\r\n', ''));
    return socket;
  };

  it.each([-301, 301])(
    'are rejected before their body is read if they are dated %i seconds from now',
    async (seconds) => {
      const socket = await sendHead('192.0.2.1', signedAt(Date.now() + seconds * 1_000));
      const [answer] = await once(socket, 'data');
      socket.destroy();
      expect(String(answer)).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"payment_event_invalid"/);
    },
  );

  it('of one network have to wait a minute when they are many, and delay no signed event', async () => {
    expect(await sendFrom(PROCESSOR)).toEqual({ status: 200, code: 'ok' });
    for (let n = 0; n < FAILURES; n += 1)
      expect(await sendFrom(STRANGER, garbage)).toEqual({ status: 400, code: 'payment_event_invalid' });
    guarded.billing.asked.length = 0;
    expect(await sendFrom('198.51.100.8', garbage)).toEqual({ status: 429, code: 'rate_limit' });
    expect(await sendFrom('198.51.100.8')).toEqual({ status: 429, code: 'rate_limit' });
    expect(guarded.billing.asked).toEqual([]);
    expect(await sendFrom(PROCESSOR)).toEqual({ status: 200, code: 'ok' });
  });

  it('have to wait even in the network of the processor, whose events continue', async () => {
    expect(await sendFrom(PROCESSOR)).toEqual({ status: 200, code: 'ok' });
    for (let n = 0; n < FAILURES; n += 1) await sendFrom('203.0.113.99', garbage);
    expect(await sendFrom('203.0.113.99', garbage)).toEqual({ status: 429, code: 'rate_limit' });
    expect(await sendFrom(PROCESSOR)).toEqual({ status: 200, code: 'ok' });
  });

  it('hold few bodies of one network at a time, without delaying others', async () => {
    const held = await Promise.all(Array.from({ length: 20 }, () => sendHead('192.0.3.7', signedAt())));
    const hosts = Array.from({ length: 100 }, (_, n) => `192.0.3.${n + 100}`);
    const next = () => hosts.pop() ?? '';
    // One that was good is believed, so each is another one.
    await eventually(async () => expect((await sendFrom(next())).code).toBe('service_unavailable'));
    expect(await sendFrom('233.252.0.1')).toEqual({ status: 200, code: 'ok' });
    for (const socket of held) socket.destroy();
    await eventually(async () => expect((await sendFrom(next())).code).toBe('rate_limit'));
    expect(await sendFrom('233.252.0.2')).toEqual({ status: 200, code: 'ok' });
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyRing } from '@tds/base';
import { createSessionToken, WEBHOOK_SECRETS } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { KEY_RING } from '@tds/test-kit';
import request from 'supertest';
import { newPrincipal } from '../../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';
import { newDelivery, newWebhook } from '../../test-support/webhooks.ts';

const cookie = { cookie: `svc_dashboard=${createSessionToken()}` };
const dashboard = { ...cookie, 'x-service-dashboard': '1' };
const holder = newPrincipal({ keyId: null });
const url = 'https://hooks.example/tds';
const cipher = keyRing().parse(KEY_RING).cipher(WEBHOOK_SECRETS);
let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;

beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount();
  harness.identity.commands.authenticateSession = async () => holder;
});
afterAll(() => harness?.stop());
beforeEach(() => {
  harness.webhooks.asked.length = 0;
});

const asked = () => harness.webhooks.asked as { name: string; request: Record<string, unknown> }[];
const put = (body: object) => request(harness.url).put('/v1/webhooks').set(account.bearer).send(body);

describe('the webhook of an account', () => {
  it('is returned with its secret if one was issued, which left the gateway encrypted for its account', async () => {
    const { status, body } = await put({ url, low_balance_threshold: 5, rotate_secret: true });
    expect(status).toBe(200);
    expect(body.webhook).toMatchObject({
      url,
      low_balance_threshold: 5,
      enabled: true,
      disabled_reason: null,
    });
    expect(body.webhook_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const sent = asked()[0]?.request ?? {};
    expect(JSON.stringify(sent)).not.toContain(body.webhook_secret);
    expect(cipher.decrypt(String(sent.sealedSecret), account.principal.accountId)).toBe(body.webhook_secret);
  });

  it('is returned without a secret if none was issued', async () => {
    const { body } = await put({ url });
    expect(body).not.toHaveProperty('webhook_secret');
    expect(asked()).toMatchObject([{ request: { lowBalanceThreshold: null, rotateSecret: false } }]);
  });

  it('has the key that configured it', async () => {
    const { keyId } = account.principal;
    harness.webhooks.commands.getWebhook = async () => ({
      webhook: newWebhook({ updated_by_key_id: keyId }),
    });
    await put({ url });
    expect(asked()).toMatchObject([{ request: { keyId } }]);
    const read = await request(harness.url).get('/v1/webhooks').set(account.bearer);
    expect(read.body.webhook).toMatchObject({ updated_by_key_id: keyId });
    harness.webhooks.commands.getWebhook = async () => ({ webhook: newWebhook() });
  });

  it.each([
    [{}, 'webhook_url_invalid'],
    [{ url: '' }, 'webhook_url_invalid'],
    [{ url: 5 }, 'webhook_url_invalid'],
    [{ url: `https://example.com/${'x'.repeat(2_048)}` }, 'webhook_url_invalid'],
    [{ url, low_balance_threshold: 0 }, 'webhook_threshold_invalid'],
    [{ url, low_balance_threshold: 1.5 }, 'webhook_threshold_invalid'],
    [{ url, low_balance_threshold: '5' }, 'webhook_threshold_invalid'],
    [{ url, rotate_secret: 'yes' }, 'invalid_rotate_secret'],
    [{ url, threshold: 5 }, 'unknown_parameter'],
  ])('is rejected for %j: %s', async (body, code) => {
    const answer = await put(body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(asked()).toEqual([]);
  });

  it.each([
    ['webhook_url_private', 400],
    ['webhook_dns_empty', 400],
    ['webhook_dns_failed', 502],
  ] as const)('says %s of its service', async (code, status) => {
    harness.webhooks.commands.putWebhook = async () => {
      throw serviceError(code);
    };
    const answer = await put({ url });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('is read and removed', async () => {
    const read = await request(harness.url).get('/v1/webhooks').set(account.bearer);
    expect(read.body.webhook).toMatchObject({ url });
    harness.webhooks.commands.getWebhook = async () => ({ webhook: null });
    const none = await request(harness.url).get('/v1/webhooks').set(account.bearer);
    expect(none.body).toEqual({ ok: true, webhook: null });
    const removed = await request(harness.url).delete('/v1/webhooks').set(account.bearer);
    expect([removed.status, removed.body]).toEqual([200, { ok: true, deleted: true }]);
  });

  it('is changed by active keys and by sessions with the dashboard header only', async () => {
    const ending = await harness.addAccount({ keyState: 'ending' });
    const codes: unknown[] = [];
    for (const headers of [ending.bearer, cookie, {}]) {
      for (const method of ['put', 'delete'] as const) {
        const sent = request(harness.url)[method]('/v1/webhooks').set(headers);
        codes.push((await (method === 'put' ? sent.send({ url }) : sent)).body.code);
      }
    }
    const refusals = ['key_is_ending', 'dashboard_header_required', 'missing_api_key'];
    expect(codes).toEqual(refusals.flatMap((code) => [code, code]));
    expect(asked()).toEqual([]);
  });
});

describe('the webhook as a resource of the account', () => {
  it('is put and deleted as at /v1/webhooks, by sessions only', async () => {
    harness.webhooks.commands.putWebhook = async ({ rotateSecret }) => {
      throw serviceError(rotateSecret ? 'webhook_url_private' : 'webhook_dns_empty');
    };
    const path = '/v1/account?resource=webhook';
    const made = await request(harness.url).put(path).set(dashboard).send({ url, rotate_secret: true });
    expect(made.body.code).toBe('webhook_url_private');
    expect(asked()).toMatchObject([{ name: 'putWebhook', request: { accountId: holder.accountId, url } }]);
    const removed = await request(harness.url).delete(path).set(dashboard);
    expect([removed.status, removed.body]).toEqual([200, { ok: true, deleted: true }]);
    expect(removed.headers).not.toHaveProperty('set-cookie');
    const byKey = await request(harness.url).put(path).set(account.bearer).send({ url });
    expect([byKey.status, byKey.body.code]).toEqual([401, 'session_required']);
  });

  it.each(['', '?resource=', '?resource=hook', '?resource=account'])('is not found at %j', async (search) => {
    const answer = await request(harness.url).put(`/v1/account${search}`).set(dashboard).send({ url });
    expect([answer.status, answer.body.code]).toEqual([400, 'unknown_query_mode']);
  });
});

describe('deliveries', () => {
  const list = (search: string) =>
    request(harness.url).get(`/v1/webhooks/deliveries${search}`).set(account.bearer);

  it('are returned in pages with the address of the next one', async () => {
    harness.webhooks.commands.listDeliveries = async ({ offset }) => ({
      deliveries: offset < 2 ? [newDelivery(), newDelivery()] : [newDelivery()],
      total: 3,
    });
    const jobId = randomUUID();
    const first = await list(`?limit=2&status=failed&event=job.paused&job_id=${jobId}`);
    expect(first.body).toMatchObject({ limit: 2, offset: 0, total: 3, has_more: true });
    const second = await request(harness.url).get(first.body.next).set(account.bearer);
    expect(second.body).toMatchObject({ limit: 2, offset: 2, total: 3, has_more: false, next: null });
    const filters = { status: 'failed', event: 'job.paused', jobId, limit: 2 };
    expect(asked()).toMatchObject([
      { request: { ...filters, offset: 0 } },
      { request: { ...filters, offset: 2 } },
    ]);
  });

  it.each([
    ['?limit=0', 'invalid_limit'],
    ['?limit=101', 'invalid_limit'],
    ['?offset=10001', 'invalid_offset'],
    ['?status=sent', 'invalid_delivery_status'],
    ['?event=job.created', 'invalid_webhook_event'],
    ['?job_id=5', 'invalid_job_id'],
    ['?monitor_id=5', 'invalid_monitor_id'],
  ])('are not listed by %s: %s', async (search, code) => {
    const answer = await list(search);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  it('are read with their attempts, resent, and created by a test event', async () => {
    const id = randomUUID();
    const at = '2026-01-15T12:00:00.000Z';
    const attempt = { number: 1, at, status: 500, milliseconds: 12, error: 'status', answer: 'no' } as const;
    harness.webhooks.commands.getDelivery = async () => ({
      delivery: newDelivery({ id }),
      attempts: [attempt],
      body: '{"type":"webhook.test"}',
    });
    const one = await request(harness.url).get(`/v1/webhooks/deliveries/${id}`).set(account.bearer);
    expect(one.body).toMatchObject({
      ...{ delivery: { id, attempt_count: 1, replaced_by: null }, attempts: [attempt] },
      body: '{"type":"webhook.test"}',
    });
    const again = await request(harness.url).post(`/v1/webhooks/deliveries/${id}/resend`).set(account.bearer);
    expect([again.status, again.body.delivery.resent_from]).toEqual([202, id]);
    const test = await request(harness.url).post('/v1/webhooks/test').set(account.bearer);
    expect([test.status, test.body.delivery.event]).toEqual([202, 'webhook.test']);
  });

  it('of an invalid id are answered like unknown ones', async () => {
    const answer = await request(harness.url).get('/v1/webhooks/deliveries/none').set(account.bearer);
    expect([answer.status, answer.body.code]).toEqual([404, 'delivery_not_found']);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;
beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount();
});
afterAll(() => harness.stop());
beforeEach(() => {
  harness.billing.asked.length = 0;
});

type Answered = { readonly code?: string; readonly [field: string]: unknown };
type Body = Answered & { checkout_url?: string; url?: string; refund?: { status: string } };

const post = async (path: string, body: object, headers: Record<string, string> = account.bearer) => {
  const answer = await fetch(`${harness.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body };
};
const get = async (path: string) => {
  const answer = await fetch(`${harness.url}${path}`, { headers: account.bearer });
  return { status: answer.status, body: (await answer.json()) as Body };
};
const purchase_id = '0199c3a0-0000-7000-8000-000000000009';

describe('POST /v1/checkout', () => {
  it('opens a page for the account of a key, and for an address without one', async () => {
    const { accountId } = account.principal;
    const answer = await post('/v1/checkout', { block: 50 });
    expect([answer.status, answer.body.checkout_url]).toEqual([201, 'https://pay.example/cs_1']);
    expect(answer.body).toMatchObject({ block: 50, amount: 900, currency: 'usd' });
    expect((await post('/v1/checkout', { block: 5, email: 'new@example.com' }, {})).status).toBe(201);
    expect(harness.billing.asked.map(({ request }) => request)).toMatchObject([
      { buyer: { kind: 'account', accountId, personId: accountId }, block: 50 },
      { buyer: { kind: 'address', email: 'new@example.com' }, block: 5 },
    ]);
  });

  it('rejects an invalid credential, although it needs none', async () => {
    const answer = await post(
      '/v1/checkout',
      { block: 5, email: 'a@example.com' },
      { authorization: 'Bearer x' },
    );
    expect([answer.status, answer.body.code]).toEqual([403, 'invalid_api_key']);
    expect(harness.billing.asked).toEqual([]);
  });

  it.each<[object, Record<string, string> | undefined, string]>([
    [{ block: 6 }, undefined, 'invalid_credit_block'],
    [{ block: '5' }, undefined, 'invalid_credit_block'],
    [{}, undefined, 'invalid_credit_block'],
    [{ block: 5, reason: 'r' }, undefined, 'unknown_parameter'],
    [{ block: 5 }, {}, 'invalid_email'],
    [{ block: 5, email: 7 }, {}, 'invalid_email'],
  ])('rejects %j with %j: %s', async (body, headers, code) => {
    const answer = await post('/v1/checkout', body, headers);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  it('is closed to frozen accounts and to ending keys', async () => {
    const frozen = await harness.addAccount({ status: 'frozen' });
    const ending = await harness.addAccount({ keyState: 'ending' });
    expect((await post('/v1/checkout', { block: 5 }, frozen.bearer)).body.code).toBe('account_frozen');
    expect((await post('/v1/checkout', { block: 5 }, ending.bearer)).body.code).toBe('key_is_ending');
  });

  it('returns the open page, and when another one may be opened', async () => {
    const { openCheckout } = harness.billing.commands;
    harness.billing.commands.openCheckout = async () => {
      const extras = { checkout_url: 'https://pay.example/cs_1' };
      throw serviceError('purchase_in_progress', { retryAfterSeconds: 77, extras });
    };
    const answer = await post('/v1/checkout', { block: 5 });
    harness.billing.commands.openCheckout = openCheckout;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '77']);
    expect(answer.body.checkout_url).toBe('https://pay.example/cs_1');
  });
});

describe('POST /v1/checkout?action=refund', () => {
  it('requests the refund of a purchase of the account', async () => {
    const answer = await post('/v1/checkout?action=refund', { purchase_id, reason: 'by mistake' });
    expect([answer.status, answer.body.refund?.status]).toEqual([202, 'pending']);
    expect(harness.billing.asked[0]?.request).toMatchObject({
      purchaseId: purchase_id,
      reason: 'by mistake',
    });
  });

  it.each<[object, string, string, number]>([
    [{}, '?action=refund', 'invalid_purchase_id', 400],
    [{ purchase_id: 'x' }, '?action=refund', 'invalid_purchase_id', 400],
    [{ purchase_id, reason: 'x'.repeat(501) }, '?action=refund', 'refund_reason_too_long', 400],
    [{ purchase_id, block: 5 }, '?action=refund', 'unknown_parameter', 400],
    [{ purchase_id }, '?action=return', 'unknown_query_mode', 400],
  ])('rejects %j at %s: %s', async (body, query, code, status) => {
    const answer = await post(`/v1/checkout${query}`, body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it.each([
    ['a cap of its own', { dailyCreditCap: 1 }],
    ['a person with a cap', { isPersonCapped: true }],
  ])('moves no money back by a key with %s, which buys as before', async (_name, facts) => {
    const { bearer } = await harness.addAccount(facts);
    const answer = await post('/v1/checkout?action=refund', { purchase_id }, bearer);
    expect([answer.status, answer.body.code]).toEqual([403, 'uncapped_key_required']);
    expect(harness.billing.asked).toEqual([]);
    const portal = await fetch(`${harness.url}/v1/billing/portal`, { headers: bearer });
    expect([portal.status, ((await portal.json()) as Body).code]).toEqual([403, 'uncapped_key_required']);
    expect((await post('/v1/checkout', { block: 50 }, bearer)).status).toBe(201);
  });

  it('needs a credential', async () => {
    const answer = await post('/v1/checkout?action=refund', { purchase_id }, {});
    expect([answer.status, answer.body.code]).toEqual([403, 'missing_api_key']);
  });
});

describe('GET /v1/billing/...', () => {
  it('opens no portal for a HEAD, which would not show it', async () => {
    const answer = await fetch(`${harness.url}/v1/billing/portal`, {
      method: 'HEAD',
      headers: account.bearer,
    });
    expect(answer.status).toBe(200);
    expect(harness.billing.asked).toEqual([]);
  });

  it('returns the portal, and a page of purchases', async () => {
    expect((await get('/v1/billing/portal')).body.url).toBe('https://pay.example/portal');
    expect(await get('/v1/billing/purchases?limit=7&offset=3')).toMatchObject({
      status: 200,
      body: { purchases: [], limit: 7, offset: 3, total: 0 },
    });
    expect((await get('/v1/billing/purchases?limit=101')).body.code).toBe('invalid_limit');
  });
});

describe('POST /v1/billing/purchases/{purchaseId}/accept', () => {
  const path = `/v1/billing/purchases/${purchase_id}/accept`;

  it('accepts a purchase for the account of the key', async () => {
    const { accountId } = account.principal;
    expect(await post(path, {})).toMatchObject({
      status: 200,
      body: { purchase: { id: purchase_id, bought_by: 'stranger' } },
    });
    expect(harness.billing.asked[0]?.request).toEqual({ accountId, purchaseId: purchase_id });
  });

  it('is closed to callers without a key, frozen accounts and ending keys, and rejects invalid purchases', async () => {
    const frozen = await harness.addAccount({ status: 'frozen' });
    const ending = await harness.addAccount({ keyState: 'ending' });
    expect((await post(path, {}, {})).body.code).toBe('missing_api_key');
    expect((await post(path, {}, frozen.bearer)).body.code).toBe('account_frozen');
    expect((await post(path, {}, ending.bearer)).body.code).toBe('key_is_ending');
    expect((await post('/v1/billing/purchases/x/accept', {})).body.code).toBe('purchase_not_found');
    expect(harness.billing.asked).toEqual([]);
  });
});

describe('GET /v1/checkout/cancelled', () => {
  it('closes the page that a buyer left, and closes nothing for a HEAD', async () => {
    const url = `${harness.url}/v1/checkout/cancelled?purchase_id=${purchase_id}`;
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    expect(harness.billing.asked).toEqual([]);
    expect(await (await fetch(url)).text()).toContain('It is closed');
    expect(harness.billing.asked[0]?.request).toEqual({ purchaseId: purchase_id });
  });
});

it('GET /v1/checkout returns the prices of blocks without a purchase', async () => {
  const answer = await fetch(`${harness.url}/v1/checkout`);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { ok: true, currency: 'usd', blocks: [{ block: 20, amount: 900 }] },
  ]);
});

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@tds/base';
import { CREDIT_BLOCKS } from '@tds/contracts';
import { codeOf } from '@tds/test-kit';
import { type Checkout, createProcessor, type Processor } from './processor.ts';

type Answer = { readonly status?: number; readonly body: unknown };
type Seen = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
};

const answers: Answer[] = [];
const seen: Seen[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const body = new URLSearchParams(Buffer.concat(chunks).toString());
  seen.push({
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    body,
    headers: request.headers,
  });
  const { status = 200, body: answer } = answers.shift() ?? {
    status: 500,
    body: { error: { message: 'none' } },
  };
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
});

let processor: Processor;
beforeAll(async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  processor = createProcessor({
    apiOrigin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secretKey: new Secret('sk_test_of_the_tests'),
    publicUrl: 'https://api.example',
  });
});
beforeEach(() => {
  answers.length = 0;
  seen.length = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const answer = (...given: Answer[]): void => void answers.push(...given);
const failure = (status: number, type = 'invalid_request_error', code = 'x'): Answer => ({
  ...{ status, body: { error: { type, code, message: 'a message of the processor' } } },
});
const session = {
  id: 'cs_1',
  payment_status: 'unpaid',
  amount_total: 900,
  currency: 'usd',
  expires_at: 1_768_000_000,
};
const refund = { id: 're_1', payment_intent: 'pi_1', amount: 900, currency: 'usd', status: 'pending' };
const checkout: Checkout = {
  ...{
    purchaseId: 'p-1',
    accountId: 'a-1',
    block: 20,
    priceId: 'price_20',
    customerId: 'cus_1',
    email: null,
  },
  expiresAt: new Date(1_768_000_000_999),
};

describe('a request to the processor', () => {
  it('carries our key as a credential, and never in its address', async () => {
    answer({ body: session });
    await processor.readSession('cs_1');
    expect(seen[0]?.headers.authorization).toBe('Bearer sk_test_of_the_tests');
    expect(seen[0]?.path).toBe('/v1/checkout/sessions/cs_1');
  });

  it.each<[string, Answer, () => Promise<unknown>, string]>([
    ['that opens a page', { body: session }, () => processor.openSession(checkout), 'checkout:p-1'],
    ['that refunds', { body: refund }, () => processor.refund('pi_1', 'r-1'), 'refund:r-1'],
    ['that makes a customer', { body: { id: 'cus_1' } }, () => processor.createCustomer('a-1'), 'customer:a-1'],
  ])(
    '%s has an idempotency key of what it is about, the same for each repeat',
    async (_what, given, request, key) => {
      answer(given, given);
      for (let times = 0; times < 2; times += 1) await request();
      expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual([key, key]);
    },
  );

  it('is repeated once with the same idempotency key if the processor fails', async () => {
    answer(failure(500, 'api_error'), { body: refund });
    expect(await processor.refund('pi_1', 'r-1')).toMatchObject({ id: 're_1' });
    expect(seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['refund:r-1', 'refund:r-1']);
    expect(String(seen[0]?.body)).toBe(String(seen[1]?.body));
  });

  it.each<[string, Answer, string]>([
    ['fails for all keys', failure(401), 'configuration_error'],
    ['may not be made with our key', failure(403), 'configuration_error'],
    ['is invalid', failure(400), 'payment_response_invalid'],
    ['is one too many', failure(429, 'rate_limit_error'), 'payment_request_failed'],
    ['fails there', failure(500, 'api_error'), 'payment_request_failed'],
    ['is answered with no JSON', { body: '<html>' }, 'payment_request_failed'],
    ['is answered with another object', { body: { id: 1 } }, 'payment_response_invalid'],
  ])('that %s has an error of ours', async (_what, given, code) => {
    answer(given, given);
    expect(await codeOf(processor.createCustomer('a-1'))).toBe(code);
  });

  it('never shows customers the message of the processor', async () => {
    answer(failure(400));
    const error = await processor.createCustomer('a-1').catch((thrown: unknown) => thrown);
    expect(String(error)).not.toContain('a message of the processor');
  });
});

describe('a page', () => {
  it('is opened for one block at its price, and names its purchase in the session and the payment', async () => {
    answer({ body: session });
    await processor.openSession(checkout);
    expect(Object.fromEntries(seen[0]?.body ?? [])).toEqual({
      ...{ mode: 'payment', 'line_items[0][price]': 'price_20', 'line_items[0][quantity]': '1' },
      ...{ client_reference_id: 'p-1', customer: 'cus_1', expires_at: '1768000000' },
      ...{ 'metadata[purchase_id]': 'p-1', 'metadata[block]': '20', 'metadata[account_id]': 'a-1' },
      'payment_intent_data[metadata][purchase_id]': 'p-1',
      'payment_intent_data[metadata][block]': '20',
      'payment_intent_data[metadata][account_id]': 'a-1',
      success_url: 'https://api.example/checkout/success',
      cancel_url: 'https://api.example/v1/checkout/cancelled?purchase_id=p-1',
    });
  });

  it('of a stranger names an address, and neither an account nor a customer', async () => {
    answer({ body: session });
    await processor.openSession({ ...checkout, accountId: null, customerId: null, email: 'a@b.example' });
    const body = seen[0]?.body ?? new URLSearchParams();
    expect([body.get('customer_email'), body.get('customer_creation')]).toEqual(['a@b.example', 'always']);
    expect(['customer', 'metadata[account_id]'].map((name) => body.get(name))).toEqual([null, null]);
  });

  it.each<[string, Answer[], boolean]>([
    ['that is open is closed', [{ body: { ...session, status: 'expired' } }], true],
    ['that has expired already is closed', [failure(400), { body: { ...session, status: 'expired' } }], true],
    ['that is paid stays', [failure(400), { body: { ...session, status: 'complete' } }], false],
    ['that is being paid stays', [failure(400), { body: { ...session, status: 'open' } }], false],
  ])('%s', async (_what, given, isClosed) => {
    answer(...given);
    expect(await processor.closeSession('cs_1')).toBe(isClosed);
  });

  it('counts as neither closed nor paid if the processor fails', async () => {
    answer(failure(500, 'api_error'), failure(500, 'api_error'));
    expect(await codeOf(processor.closeSession('cs_1'))).toBe('payment_request_failed');
  });

  it('that the processor does not know is null, and one it cannot answer for is an error', async () => {
    answer(failure(404));
    expect(await processor.readSession('cs_9')).toBeNull();
    answer(failure(401));
    expect(await codeOf(processor.readSession('cs_9'))).toBe('configuration_error');
  });
});

describe('a refund', () => {
  it('names its payment and its request, and no amount: the processor refunds what is left', async () => {
    answer({ body: refund });
    await processor.refund('pi_1', 'r-1');
    expect(Object.fromEntries(seen[0]?.body ?? [])).toEqual({
      payment_intent: 'pi_1',
      'metadata[refund_id]': 'r-1',
    });
  });

  it.each([
    ['an invalid request', failure(400, 'invalid_request_error', 'charge_disputed')],
    ['a rejected card', failure(402, 'card_error')],
  ])('that the processor rejects as %s is null', async (_what, given) => {
    answer(given);
    expect(await processor.refund('pi_1', 'r-1')).toBeNull();
  });

  it.each([
    ['the processor fails', failure(500, 'api_error')],
    ['another request with its key runs', failure(409, 'idempotency_error')],
    ['too many are sent', failure(429, 'rate_limit_error')],
    ['our key is wrong', failure(401)],
  ])('is not rejected if %s: it may have moved money, and is repeated', async (_what, given) => {
    answer(given, given);
    expect(await codeOf(processor.refund('pi_1', 'r-1'))).toMatch(/payment_request_failed|configuration_error/);
  });
});

it('the prices of all blocks are read by their names in the catalogue, only those on sale', async () => {
  answer({ body: { data: [] } });
  await processor.prices(CREDIT_BLOCKS);
  const { query = new URLSearchParams() } = seen[0] ?? {};
  const names = [...query].filter(([name]) => name.startsWith('lookup_keys')).map(([, value]) => value);
  expect([names, query.get('active')]).toEqual([CREDIT_BLOCKS.map((block) => `credits_${block}`), 'true']);
});

it('events are read from a time on, after the last of the page before', async () => {
  const page = { body: { data: [], has_more: false } };
  answer(page, page);
  await processor.events(new Date(1_768_000_000_999), null);
  await processor.events(new Date(1_768_000_000_000), 'evt_9');
  const asked = seen.map(({ query }) => [
    query.get('created[gte]'),
    query.get('starting_after'),
    query.get('limit'),
  ]);
  expect(asked).toEqual([
    ['1768000000', null, '100'],
    ['1768000000', 'evt_9', '100'],
  ]);
});

it('the portal is of the customer, and its address is checked', async () => {
  answer({ body: { url: 'https://pay.example/portal' } }, { body: { url: 'no address' } });
  expect(await processor.openPortal('cus_1')).toEqual({ url: 'https://pay.example/portal' });
  expect(Object.fromEntries(seen[0]?.body ?? [])).toMatchObject({ customer: 'cus_1' });
  expect(await codeOf(processor.openPortal('cus_1'))).toBe('payment_response_invalid');
});

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiError, ConnectionError, InvalidInputError, QuotaExceededError } from './index.ts';
import { BASE_URL, envelope, errorOfCall, fakeService, json, settle } from './test-support/fake-service.ts';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

const account = json({ ok: true, credits: { available: 7 } });
const unavailable = json(envelope(), 502);

describe('a request', () => {
  it('carries the key as a Bearer token, and no cookie', async () => {
    const { client, sent } = fakeService([account]);
    expect((await settle(client.account.get())).credits.available).toBe(7);
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer svc_live_test');
    expect(sent[0]?.url.href).toBe(`${BASE_URL}/v1/account`);
  });

  it('is repeated four times at most while the answer is retryable', async () => {
    const { client, sent } = fakeService([unavailable], { maxRetries: 9 });
    expect(await errorOfCall(client.account.get())).toMatchObject({ code: 'upstream_error', status: 502 });
    expect(sent).toHaveLength(5);
  });

  it('is repeated after a lost connection, later each time', async () => {
    const { client, sent } = fakeService([
      new TypeError('fetch failed'),
      new TypeError('fetch failed'),
      account,
    ]);
    await settle(client.account.get());
    const [first = 0, second = 0, third = 0] = sent.map(({ atMs }) => atMs);
    expect(second - first).toBeGreaterThanOrEqual(250);
    expect(third - second).toBeGreaterThanOrEqual(500);
  });

  it('is repeated after a proxy answered for the service, and not after a page of a stranger', async () => {
    const proxy = new Response('<h1>Bad gateway</h1>', { status: 502 });
    const { client, sent } = fakeService([proxy, account]);
    await settle(client.account.get());
    expect(sent).toHaveLength(2);
    const lost = fakeService([new Response('<h1>Not here</h1>', { status: 404 })]);
    expect(await errorOfCall(lost.client.account.get())).toMatchObject({
      name: 'ConnectionError',
      status: 404,
    });
    expect(lost.sent).toHaveLength(1);
  });

  it('is never repeated before Retry-After', async () => {
    const body = envelope({ errorClass: 'QuotaExceeded', code: 'rate_limit', retry_after: 30 });
    const { client, sent } = fakeService([json(body, 429, { 'retry-after': '30' }), account]);
    await settle(client.account.get());
    expect(sent[1]?.atMs).toBeGreaterThanOrEqual(30_000);
    expect(sent[1]?.atMs).toBeLessThan(32_000);
  });

  it.each(['Wed, 21 Oct 2015 07:28:30 GMT', 'Wednesday, 21-Oct-15 07:28:30 GMT', 'Wed Oct 21 07:28:30 2015'])(
    'is never repeated before Retry-After, also if that is the date %s',
    async (date) => {
      const body = envelope({ errorClass: 'QuotaExceeded', code: 'rate_limit' });
      const headers = { 'retry-after': date, date: 'Wed, 21 Oct 2015 07:28:00 GMT' };
      const { client, sent } = fakeService([json(body, 429, headers), account]);
      await settle(client.account.get());
      expect(sent[1]?.atMs).toBeGreaterThanOrEqual(30_000);
      expect(sent[1]?.atMs).toBeLessThan(32_000);
    },
  );

  it.each(['soon', '-1', 'Wed, 99 Oct 2015 07:28:30 GMT', 'Wed, 21 Oct 2015 07:28:30 GMT'])(
    'is repeated soon if Retry-After is %s, which is no time to come',
    async (text) => {
      const { client, sent } = fakeService([json(envelope(), 502, { 'retry-after': text }), account]);
      await settle(client.account.get());
      expect(sent[1]?.atMs).toBeLessThan(1_000);
    },
  );

  it('is not repeated if Retry-After is longer than two minutes', async () => {
    const body = envelope({ code: 'archive_failed', retry_after: 3_600 });
    const { client, sent } = fakeService([json(body, 409, { 'retry-after': '3600' })]);
    expect(await errorOfCall(client.account.get())).toMatchObject({ retryable: true, retryAfter: 3_600 });
    expect(sent).toHaveLength(1);
  });

  it('is not repeated if the answer is not retryable', async () => {
    const body = envelope({ errorClass: 'InvalidInput', code: 'invalid_video_id', retryable: false });
    const { client, sent } = fakeService([json(body, 400)]);
    const error = await errorOfCall(client.transcripts.get('xx'));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: 'InvalidInputError',
      code: 'invalid_video_id',
      errorClass: 'InvalidInput',
      status: 400,
      retryable: false,
      requestId: 'request-1',
      message: 'It failed.',
    });
    expect(sent).toHaveLength(1);
  });

  it('ends after the time of an attempt, and is repeated', async () => {
    const never = ({ signal }: { signal: AbortSignal }) =>
      new Promise<Response>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const { client, sent } = fakeService([never, account], { timeoutMs: 5_000 });
    await settle(client.account.get());
    expect(sent[1]?.atMs).toBeGreaterThanOrEqual(5_000);
  });

  it('is repeated if the body of the answer breaks off', async () => {
    const broken = () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('{"ok":'));
            controller.error(new TypeError('terminated'));
          },
        }),
      );
    const { client, sent } = fakeService([broken, account]);
    await settle(client.account.get());
    expect(sent).toHaveLength(2);
  });

  it('goes to no other address than the one it was given', async () => {
    const pending = json({ status: 'pending', poll_url: 'https://elsewhere.test/v1/transcript' }, 202);
    const { client, sent } = fakeService([pending]);
    expect(String(await errorOfCall(client.transcripts.get('manualEn001')))).toContain('is not the service');
    expect(sent).toHaveLength(1);
  });
});

describe('an error of a class that this version does not know', () => {
  it('is an ApiError', async () => {
    const body = { ...envelope({ retryable: false }), errorClass: 'Tomorrow' };
    const { client } = fakeService([json(body, 418)]);
    const error = await errorOfCall(client.account.get());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).not.toBeInstanceOf(QuotaExceededError);
  });
});

describe('a change', () => {
  it('carries the same Idempotency-Key at each attempt', async () => {
    const job = json({ ok: true, job: { id: 'job-1', status: 'pending' } }, 202);
    const { client, sent } = fakeService([new TypeError('fetch failed'), unavailable, job]);
    expect((await settle(client.jobs.create({ video_ids: ['manualEn001'] }))).id).toBe('job-1');
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(sent[2]?.body).toEqual({ video_ids: ['manualEn001'] });
  });

  it("carries the caller's Idempotency-Key", async () => {
    const { client, sent } = fakeService([json({ ok: true, key: { id: 'key-1' } }, 201)]);
    await settle(client.keys.create({ name: 'one' }, { idempotencyKey: 'mine' }));
    expect(sent[0]?.headers.get('idempotency-key')).toBe('mine');
  });

  it('is not repeated without one', async () => {
    const { client, sent } = fakeService([new TypeError('fetch failed')]);
    expect(await errorOfCall(client.webhooks.test())).toBeInstanceOf(ConnectionError);
    expect(sent).toMatchObject([{ method: 'POST' }]);
    expect(sent[0]?.headers.has('idempotency-key')).toBe(false);
  });

  it('is repeated if it changes nothing', async () => {
    const found = json({ ok: true, found: [], notFound: [], list: null });
    const { client, sent } = fakeService([unavailable, found]);
    await settle(client.videos.resolve('text'));
    expect(sent).toHaveLength(2);
  });
});

describe('signal', () => {
  it('ends the wait before a repeat with its own reason', async () => {
    const { client, sent } = fakeService([json(envelope({ retry_after: 60 }), 502)]);
    const reason = new Error('the caller left');
    const given = new AbortController();
    const asked = client.account.get({ signal: given.signal });
    setTimeout(() => given.abort(reason), 1_000);
    expect(await errorOfCall(asked)).toBe(reason);
    expect(sent).toHaveLength(1);
  });

  it('ends a request that is under way', async () => {
    const given = new AbortController();
    const never = ({ signal }: { signal: AbortSignal }) =>
      new Promise<Response>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    const { client, sent } = fakeService([never]);
    setTimeout(() => given.abort(), 500);
    expect(await errorOfCall(client.jobs.get('job-1', { signal: given.signal }))).toMatchObject({
      name: 'AbortError',
    });
    expect(sent).toHaveLength(1);
  });

  it('that is aborted already sends nothing', async () => {
    const { client, sent } = fakeService([account]);
    expect(await errorOfCall(client.account.get({ signal: AbortSignal.abort() }))).toMatchObject({
      name: 'AbortError',
    });
    expect(sent).toEqual([]);
  });
});

describe('a client', () => {
  it('says which setting is missing', () => {
    expect(() => fakeService([], { apiKey: '' })).toThrow('TRANSCRIPTS_API_KEY');
    expect(() => fakeService([], { baseUrl: '' })).toThrow('TRANSCRIPTS_BASE_URL');
  });

  it.each(['', '/', '/v1', '/v1/', '/v1//'])('takes a base address that ends with "%s"', async (end) => {
    const { client, sent } = fakeService([account], { baseUrl: ` https://api.test/behind${end}` });
    await settle(client.account.get());
    expect(sent[0]?.url.href).toBe('https://api.test/behind/v1/account');
  });

  it.each(['api.example.com', 'localhost:8080', 'ftp://a.test', 'https://', 'http://a b', 'https://a.test:x'])(
    'refuses %s as a base address at once',
    (baseUrl) => expect(() => fakeService([], { baseUrl })).toThrow('is no http or https address'),
  );

  it.each(['https://u:p@a.test', 'https://a.test?x=1', 'https://a.test/#x'])(
    'refuses more than an address: %s',
    (baseUrl) => expect(() => fakeService([], { baseUrl })).toThrow('give the address alone'),
  );
});

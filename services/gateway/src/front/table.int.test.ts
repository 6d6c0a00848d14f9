import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorEnvelope, methodsByPath, type Route, routeTable } from '@tds/http-api';
import request, { type Test } from 'supertest';
import { rawRequest, readBody, sendRaw } from '../test-support/raw-http.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';

let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;

beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount({ tier: 'paid' });
});
afterAll(() => harness?.stop());

const paths: (readonly [string, readonly string[]])[] = [
  ...methodsByPath(routeTable),
  ['/v1/openapi.json', ['GET', 'HEAD', 'OPTIONS']],
];
/** A parameter of a path takes anything but a slash. */
const knownPaths = paths.map(([path]) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));
const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What readers ask for again and again has a tag. */
const TAGGED: readonly string[] = ['/v1/changes.atom'];

const expectBasics = (headers: Record<string, string>, path = ''): void => {
  expect(headers['x-request-id']).toMatch(REQUEST_ID);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers).not.toHaveProperty('x-powered-by');
  if (!TAGGED.includes(path)) expect(headers).not.toHaveProperty('etag');
};

/** Only documents may be read by other sites. */
const expectClosed = (headers: Record<string, string>): void =>
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);

const pages = ['/', '/docs', '/docs/errors', '/v1/openapi.json'];

const expectError = async (sent: Test, status: number, code: string) => {
  const answer = await sent;
  expect(answer.status).toBe(status);
  expectBasics(answer.headers);
  expectClosed(answer.headers);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(errorEnvelope.parse(answer.body)).toMatchObject({
    code,
    request_id: answer.headers['x-request-id'],
  });
  expect(answer.headers['retry-after']).toBe(answer.body.retry_after?.toString());
  return answer;
};

describe.each(paths)('%s', (path, allow) => {
  const unsupported = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allow.includes(method));

  it.each(unsupported)('answers %s with 405, Allow and the list in the envelope', async (method) => {
    const sent = request(harness.url)[method.toLowerCase() as 'get'](path).set(account.bearer);
    const answer = await expectError(sent, 405, 'method_not_allowed');
    expect(answer.headers.allow).toBe(allow.join(', '));
    expect(answer.body.allow).toEqual(allow);
  });

  it('answers TRACE with 405', async () => {
    const answer = await sendRaw(harness.url, rawRequest(`TRACE ${path}`));
    expect(answer).toMatch(/^HTTP\/1.1 405 /);
    expect(readBody(answer)).toMatchObject({ code: 'method_not_allowed' });
  });

  it('answers OPTIONS with 204 and Allow', async () => {
    const answer = await request(harness.url)
      .options(path)
      .set({ origin: 'https://evil.example', 'access-control-request-method': 'POST' });
    expect(answer.status).toBe(204);
    expect(answer.headers.allow).toBe(allow.join(', '));
    expectBasics(answer.headers);
  });

  it('answers OPTIONS for any query', async () => {
    expect((await request(harness.url).options(`${path}?key=1`)).status).toBe(204);
  });

  it('answers HEAD like GET without a body, or with 405', async () => {
    const answer = await request(harness.url).head(path).set(account.bearer);
    if (!allow.includes('HEAD')) expect(answer.status).toBe(405);
    else expect(answer.status).toBe((await request(harness.url).get(path).set(account.bearer)).status);
    expect(answer.text).toBeUndefined();
    expectBasics(answer.headers, path);
  });

  it.each([
    ['a trailing slash', `${path}/`],
    ['a doubled slash', `/${path}`],
    ['upper case', path.toUpperCase()],
    ['dots', `/v1/../${path.slice(1)}`],
    ['encoded dots', `/v1/%2e%2e${path}`],
    ['an encoded letter', path.replace('/v1/', '/v1/%61').replace('%61a', '%61')],
    ['more behind it', `${path}/x`],
    ['a semicolon', `${path};x=1`],
  ])('is not found with %s', async (_what, other) => {
    if (knownPaths.some((known) => known.test(other))) return;
    const answer = await sendRaw(harness.url, rawRequest(`GET ${other}`));
    expect(answer).toMatch(/^HTTP\/1.1 404 /);
    expect(readBody(answer)).toMatchObject({ ok: false, code: 'not_found', errorClass: 'InvalidInput' });
  });

  it.each(['api_key', 'key', 'token', 'apikey', 'access_token', 'API_KEY', 'key[]', 'x-api-key', 'other'])(
    'rejects a key in the parameter %s, even beside a valid Bearer',
    async (name) => {
      const method = allow[0]?.toLowerCase() as 'get';
      const value = name === 'other' ? account.key : 'x';
      await expectError(
        request(harness.url)[method](`${path}?${name}=${value}`).set(account.bearer),
        400,
        'key_in_query_string',
      );
    },
  );
});

describe('outside the table', () => {
  it.each(pages)('%s is open to any browser and site', async (path) => {
    const answer = await request(harness.url).get(path);
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
    const preflight = await request(harness.url).options(path).set({ origin: 'https://other.example' });
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect(preflight.headers['access-control-allow-methods']).toBe(preflight.headers.allow);
    await expectError(request(harness.url).post(path), 405, 'method_not_allowed');
  });

  it('an unknown path is answered with an existing address of the documentation', async () => {
    const { body } = await request(harness.url).get('/v1/nothing');
    for (const [link = ''] of body.message.matchAll(/\/[\w/.]*\w/g))
      expect([link, (await request(harness.url).get(link)).status]).toEqual([link, 200]);
    const start = await request(harness.url).get('/');
    // The dashboard is built at the first start, and has tests of its own; a quote leads to its video.
    for (const [, link = ''] of start.text.matchAll(/href="(?!\/dashboard|https:)([^"]+)"/g))
      expect([link, (await request(harness.url).get(link)).status]).toEqual([link, 200]);
  });

  it.each(['/v1', '/v1/', '/v2/transcript', '/metrics', '/live', '/ready', '/healthz', '/.env'])(
    '%s is not found',
    async (path) => {
      await expectError(request(harness.url).get(path), 404, 'not_found');
      await expectError(request(harness.url).options(path), 404, 'not_found');
      await expectError(request(harness.url).get(`${path}?token=1`), 400, 'key_in_query_string');
    },
  );

  it('the OpenAPI document is public and may be cached', async () => {
    const answer = await request(harness.url).get('/v1/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('public, max-age=300');
    expect(Object.keys(answer.body.paths)).toEqual([...new Set(routeTable.map(({ path }: Route) => path))]);
    expect(answer.body.servers).toEqual([{ url: 'https://api.example' }]);
  });

  it('the page at docs_url has every class', async () => {
    const answer = await request(harness.url).get('/docs/errors');
    expect(answer.text).toContain('<section id="QuotaExceeded">');
  });
});

describe('broken HTTP', () => {
  const keptAlive = 'OPTIONS /v1/keys HTTP/1.1\r\nHost: api.example\r\n\r\n';

  it.each([
    ['no HTTP at all', 'nonsense\r\n\r\n', 400, 'malformed_request'],
    ['an unknown method', rawRequest('BREW /v1/keys'), 405, 'method_not_allowed'],
    ['such a method on a path with an id', rawRequest('BREW /v1/keys/1'), 405, 'method_not_allowed'],
    ['such a method on no path of ours', rawRequest('BREW /v1/nothing'), 404, 'not_found'],
    ['such a method with a query', rawRequest('BREW /v1/keys?key=1'), 400, 'malformed_request'],
    ['such a method behind a request', `${keptAlive}${rawRequest('BREW /v1/keys')}`, 400, 'malformed_request'],
    ['two Host headers', rawRequest('GET /v1/keys', ['Host: other.example']), 400, 'malformed_request'],
    ['a user in the address', rawRequest('GET http://me:pw@api.example/v1/keys'), 400, 'malformed_request'],
    ['a key in its place', rawRequest('GET http://svc_live_1@api.example/'), 400, 'key_in_query_string'],
    ['a fragment', rawRequest('GET /v1/keys#x'), 400, 'malformed_request'],
    ['a key in a fragment', rawRequest('GET /v1/keys#svc_live_1'), 400, 'key_in_query_string'],
    [
      'a key in a fragment behind a query',
      rawRequest('GET /v1/video?url=x#svc_live_1'),
      400,
      'key_in_query_string',
    ],
    ['a key in a path', rawRequest('DELETE /v1/keys/svc_live_1'), 400, 'key_in_query_string'],
    ['a header line without a colon', rawRequest('GET /v1/transcript', ['nonsense']), 400, 'malformed_request'],
    [
      'headers of 20 KiB',
      rawRequest('GET /v1/video', [`X-Long: ${'x'.repeat(20_480)}`]),
      431,
      'headers_too_large',
    ],
    [
      'Content-Length together with Transfer-Encoding',
      rawRequest('POST /v1/auth/code', ['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
      400,
      'malformed_request',
    ],
    [
      'two Content-Lengths',
      rawRequest('POST /v1/auth/code', ['Content-Length: 2', 'Content-Length: 3'], '{}'),
      400,
      'malformed_request',
    ],
    ['a request without Host', 'GET /v1/video HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
    ['a proxy request', rawRequest('CONNECT example.com:443'), 400, 'malformed_request'],
  ])('%s gets an envelope', async (_what, bytes, status, code) => {
    const all = await sendRaw(harness.url, bytes);
    // Behind an answer to what came first.
    const answer = all.split(/(?=HTTP\/1\.1 \d{3} )/).at(-1) ?? '';
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    const envelope = errorEnvelope.parse(readBody(answer));
    expect(envelope).toMatchObject({ code });
    if (status === 405) expect(answer).toContain(`\r\nAllow: ${envelope.allow?.join(', ')}\r\n`);
  });

  it('an invalid address requested with HEAD gets no body, which would look like the next answer', async () => {
    const answer = await sendRaw(harness.url, rawRequest('HEAD \\v1\\keys'));
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toMatch(/\r\n\r\n$/);
  });

  it('a request id of the caller is neither accepted nor shown', async () => {
    const answer = await request(harness.url).get('/v1/video').set('X-Request-Id', 'mine');
    expect(answer.headers['x-request-id']).toMatch(REQUEST_ID);
    expect(answer.text).not.toContain('mine');
  });
});

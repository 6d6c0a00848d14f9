import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { routes } from '@tds/http-api';
import { assets, createSite } from '@tds/site';
import request from 'supertest';
import { rawRequest, sendRaw } from '../test-support/raw-http.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';

let harness: TestGateway;
beforeAll(async () => {
  harness = await startTestGateway();
});
afterAll(() => harness?.stop());

const { pages } = createSite({ publicUrl: 'https://api.example', supportEmail: 'help@api.example' });
const files = ['/llms.txt', '/docs/webhook-vectors.json', '/v1/openapi.json'];
const html = [...pages.map(({ path }) => path), '/status'];
const hashed = Object.values(assets).map(({ path }) => path);
const addresses = [...html, ...pages.map(({ twin }) => twin.path), ...hashed, ...files];

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const strict = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
};

describe.each(addresses)('%s', (path) => {
  it('has the strict headers, to GET and HEAD', async () => {
    for (const method of ['get', 'head'] as const) {
      const answer = await request(harness.url)[method](path);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject(strict);
      expect(answer.headers).not.toHaveProperty('set-cookie');
    }
  });

  it.each(['post', 'put', 'delete', 'patch'] as const)('refuses %s', async (method) => {
    const answer = await request(harness.url)[method](path);
    expect([answer.status, answer.body.code]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  it('refuses a key in the address, which it does not show', async () => {
    const answer = await request(harness.url).get(`${path}?api_key=svc_live_mine`);
    expect([answer.status, answer.body.code]).toEqual([400, 'key_in_query_string']);
    expect(answer.text).not.toContain('svc_live_mine');
  });

  it('is the only spelling of its address', async () => {
    if (path === '/') return;
    for (const other of [`${path}/`, `/${path}`, `${path}%00`, `${path}/../..${path}`]) {
      expect(await sendRaw(harness.url, rawRequest(`GET ${other}`))).toMatch(/^HTTP\/1.1 40[04] /);
    }
  });

  it('is the same with a query and a cookie of anybody', async () => {
    if (path === '/status') return;
    const [plain, other] = await Promise.all([
      request(harness.url).get(path),
      request(harness.url).get(`${path}?q=<script>alert(1)</script>`).set('Cookie', 'svc_dashboard=x'),
    ]);
    expect([other.status, other.text]).toEqual([200, plain.text]);
  });
});

it.each(html)('%s is HTML without inline script or style, and is asked for again each time', async (path) => {
  const { headers, text } = await request(harness.url).get(path);
  const caching = path === '/status' ? 'no-store' : 'no-cache';
  expect([headers['content-type'], headers['cache-control']]).toEqual(['text/html; charset=utf-8', caching]);
  expect(text).not.toMatch(/<style|<script(?! src="\/assets\/)|<[^>]+\s(style|on\w+)=/i);
});

it.each(hashed)('%s is kept for ever', async (path) => {
  const { headers } = await request(harness.url).get(path);
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
});

it.each(['br', 'gzip'])('the reference and the stylesheet come compressed as %s', async (encoding) => {
  for (const path of ['/reference/bulk-jobs', assets.style.path]) {
    const plain = await request(harness.url).get(path).set('Accept-Encoding', 'identity');
    const packed = await request(harness.url).get(path).set('Accept-Encoding', encoding);
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(Number(packed.headers['content-length'])).toBeLessThan(
      Number(plain.headers['content-length']) / 3,
    );
    expect(packed.headers.vary).toContain('Accept-Encoding');
  }
});

it.each([
  '/assets/',
  '/assets/site.js',
  '/assets/..%2fsrc%2fsite.ts',
  '/assets/site.000000000000.css',
  '/docs/nothing',
  '/reference/x',
])('%s is not found', async (path) => {
  const answer = await request(harness.url).get(path);
  expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
});

it('the page that closes a checkout has the strict headers', async () => {
  const address = `${routes.cancelCheckout.path}?purchase_id=0199c3a0-0000-7000-8000-000000000001`;
  const answer = await request(harness.url).get(address);
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject(strict);
});

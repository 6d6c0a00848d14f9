import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSessionToken } from '@tds/contracts';
import { routeTable } from '@tds/http-api';
import { goodRequests } from '@tds/http-api/testing';
import { assets, readBuiltSite } from '@tds/site';
import { eventually } from '@tds/test-kit';
import request from 'supertest';
import type { StatusWatch } from '../status/status-watch.ts';
import { downloadNames, writeBuilt } from '../test-support/built.ts';
import { rawRequest, sendRaw } from '../test-support/raw-http.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';
import { createPages } from './pages.ts';

const built = writeBuilt();
let harness: TestGateway;
beforeAll(async () => {
  harness = await startTestGateway({ environment: { BUILT_DIR: built.folder } });
});
afterAll(async () => {
  await harness?.stop();
  built.remove();
});

/** An address of each page that has many. */
const addressOf: Readonly<Record<string, string>> = { '/dashboard{/*view}': '/dashboard/jobs/7' };
const PLAYER = 'https://www.youtube-nocookie.com';
const site = {
  publicUrl: 'https://api.example',
  supportEmail: 'help@api.example',
  exampleVideo: 'manualEn001',
  player: PLAYER,
};
/** Every page that this gateway has: a new one is in the table by itself. */
const addresses = Object.keys(
  createPages(site, { current: () => undefined } as unknown as StatusWatch, readBuiltSite(built.folder)),
).map((page) => addressOf[page] ?? page);
const hashed = addresses.filter((address) => /^\/assets\/|^\/downloads\/.*-/.test(address));
/** They say how things are now, or show an account. */
const views = Object.values(addressOf);
const changing: readonly string[] = ['/status', '/dashboard/connect', '/dashboard/join', ...views];
const cookie = `svc_dashboard=${createSessionToken()}`;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const strict = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
};

/** Only the dashboard may show a frame, and only of the player of this installation. */
const strictAt = (path: string) => ({
  ...strict,
  'content-security-policy': path.startsWith('/dashboard') ? `${POLICY}; frame-src ${PLAYER}` : POLICY,
});

describe.each(addresses)('%s', (path) => {
  it('has the strict headers, to GET and HEAD', async () => {
    for (const method of ['get', 'head'] as const) {
      const answer = await request(harness.url)[method](path).set('Cookie', cookie);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject(strictAt(path));
      expect(answer.headers).not.toHaveProperty('set-cookie');
    }
  });

  it('has neither inline script nor style, and is asked for again if its content may change', async () => {
    const { headers, text = '' } = await request(harness.url).get(path).set('Cookie', cookie);
    const isHtml = headers['content-type']?.startsWith('text/html');
    expect(isHtml ? text : '').not.toMatch(/<style|<script(?! src="\/assets\/)|<[^>]+\s(style|on\w+)=/i);
    const caching = hashed.includes(path)
      ? 'public, max-age=31536000, immutable'
      : /\.(?:json|ico)$|^\/robots|^\/\.well-known\/|^\/downloads\//.test(path)
        ? 'public, max-age=300'
        : changing.includes(path)
          ? 'no-store'
          : 'no-cache';
    expect(headers['cache-control']).toBe(caching);
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
    if (path === '/' || path.startsWith('/dashboard')) return;
    const slash = await request(harness.url).get(`${path}/?x=1`);
    if (path.startsWith('/v1/')) expect([slash.status, slash.body.code]).toEqual([404, 'not_found']);
    // Clients derive both from the address that a person has typed, and pages of other sites follow no redirect.
    else if (path.startsWith('/.well-known/')) expect([200, 308]).toContain(slash.status);
    else expect([slash.status, slash.headers.location]).toEqual([308, `${path}?x=1`]);
    for (const other of [`/${path}`, `${path}%00`, `${path}/../..${path}`]) {
      expect(await sendRaw(harness.url, rawRequest(`GET ${other}`))).toMatch(/^HTTP\/1.1 40[04] /);
    }
  });

  it('is the same with a query and a cookie of anybody', async () => {
    if (changing.includes(path)) return;
    const [plain, other] = await Promise.all([
      request(harness.url).get(path),
      request(harness.url).get(`${path}?q=<script>alert(1)</script>`).set('Cookie', 'svc_dashboard=x'),
    ]);
    expect([other.status, other.text]).toEqual([200, plain.text]);
  });
});

it('robots.txt allows what llms.txt links to, and no more of the API', async () => {
  const [robots, llms] = await Promise.all(
    ['/robots.txt', '/llms.txt'].map(async (path) => (await request(harness.url).get(path)).text),
  );
  const rules = [...String(robots).matchAll(/^(Allow|Disallow): (.+)$/gm)].map(([, kind, path = '']) => ({
    isAllowed: kind === 'Allow',
    path,
  }));
  // The longest rule counts (RFC 9309, 2.2.2).
  const isAllowed = (path: string): boolean =>
    rules
      .filter((rule) => path.startsWith(rule.path))
      .toSorted((one, other) => other.path.length - one.path.length)[0]?.isAllowed ?? true;
  const linked = [...String(llms).matchAll(/\]\(https:\/\/api\.example(\/[^)\s]*)\)/g)].map(
    ([, path = '']) => path,
  );
  expect(linked.length).toBeGreaterThan(10);
  expect(linked.filter((path) => !isAllowed(path))).toEqual([]);
  expect(['/v1/transcript', '/v1/account', '/dashboard/jobs'].filter(isAllowed)).toEqual([]);
});

describe('the packages of customers', () => {
  const get = (name: string) => request(harness.url).get(`/downloads/${name}`).buffer(true);

  it('lie at the address that guides name, and the newest at the bare one, too', async () => {
    const guide = await request(harness.url).get('/docs/typescript.md');
    expect(guide.text).toContain(`npm install https://api.example/downloads/${downloadNames.sdk}\n`);
    const [named, bare] = await Promise.all([get(downloadNames.python), get('transcript_delivery.py')]);
    expect([named.status, named.text]).toEqual([200, bare.text]);
    expect(bare.headers['cache-control']).toBe('public, max-age=300');
  });

  it('are stored, so those of a release before are there for the lock files that name them', async () => {
    const stored = `downloads/${downloadNames.sdk}`;
    await eventually(() => expect(harness.files.get(stored)?.toString()).toBe('a package'));
    const before = 'transcript_delivery-1.1.0-ba9876543210.py';
    harness.files.set(`downloads/${before}`, Buffer.from('import os\n'));
    const answer = await get(before);
    expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([
      200,
      'import os\n',
      'public, max-age=31536000, immutable',
    ]);
    expect(answer.headers).toMatchObject(strict);
    expect((await request(harness.url).post(`/downloads/${before}`)).status).toBe(405);
  });

  it.each(['sdk-1.1.0-000000000000.tgz', 'sdk-1.1.0.tgz', '..%2frendered%2fx', `${'a'.repeat(5_000)}-1.0.0`])(
    'has no %s',
    async (name) => expect((await get(name)).body.code).toBe('not_found'),
  );
});

it.each(['br', 'gzip'])('the reference and the stylesheet come compressed as %s', async (encoding) => {
  for (const path of ['/reference/bulk-jobs', assets.style.path]) {
    const plain = await request(harness.url).get(path).set('Accept-Encoding', 'identity');
    const packed = await request(harness.url).get(path).set('Accept-Encoding', encoding);
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(Number(packed.headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 3);
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

describe('an address that no page has', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it.each(['/nothing', '/docs/nothing/', '/assets/x.css', '/dashboards'])(
    'is a page to a browser, and the envelope to a program: %s',
    async (path) => {
      for (const method of ['get', 'head'] as const) {
        const shown = await request(harness.url)[method](path).set(browser);
        expect([shown.status, shown.type]).toEqual([404, 'text/html']);
        expect(shown.headers).toMatchObject(strict);
      }
      const answer = await request(harness.url).get(path).set('accept', '*/*');
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    },
  );

  it.each(['/v1', '/v1/', '/v1/nothing', '/v1/status/'])(
    'is the envelope below /v1 to all: %s',
    async (path) => {
      const answer = await request(harness.url).get(path).set(browser);
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    },
  );

  it.each([
    ['/pricing', '/docs/credits'],
    ['/login/?to=%2Fdashboard', '/signin?to=%2Fdashboard'],
    ['/dashboard/', '/dashboard'],
    ['/index.html', '/'],
  ])('leads to the page that it means: %s', async (path, location) => {
    const answer = await request(harness.url).get(path);
    expect([answer.status, answer.headers.location]).toEqual([308, location]);
  });

  it.each(['//evil.example/', '//evil.example/docs/', '/docs//', '/%2f/docs/', '/\\\\evil.example/'])(
    'leads to no other site: %s',
    async (path) => {
      expect(await sendRaw(harness.url, rawRequest(`GET ${path}`))).toMatch(/^HTTP\/1.1 40[04] /);
    },
  );
});

const htmlRoutes = routeTable.filter(
  ({ path, responses }) => !path.includes('{') && responses[200]?.files?.includes('text/html'),
);

it.each(htmlRoutes)('the page of $id has the strict headers', async ({ id, path }) => {
  const facts = { email: 'you@example.com', videoId: 'manualEn001' };
  const answer = await request(harness.url).get(
    `${path}${goodRequests[id as keyof typeof goodRequests](facts).search}`,
  );
  expect([answer.status, answer.type]).toEqual([200, 'text/html']);
  expect(answer.headers).toMatchObject(strict);
});

it('no page has an address of many that this table does not visit', () => {
  expect(addresses.filter((address) => address.includes('{'))).toEqual([]);
  expect(htmlRoutes.length).toBeGreaterThan(0);
});

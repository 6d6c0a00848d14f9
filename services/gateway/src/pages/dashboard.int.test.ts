import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSessionToken } from '@tds/contracts';
import request from 'supertest';
import { dashboardFiles as names, writeBuilt } from '../test-support/built.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';
import { framingHeaders } from './page-headers.ts';

const built = writeBuilt();
const cookie = `svc_dashboard=${createSessionToken()}`;
let harness: TestGateway;

beforeAll(async () => {
  harness = await startTestGateway({ environment: { BUILT_DIR: built.folder, PLATFORM_ORIGIN: `${PLAYER}/` } });
});
afterAll(async () => {
  await harness?.stop();
  built.remove();
});

const PLAYER = 'https://player.example';
const headers = framingHeaders(PLAYER);
const strict = Object.fromEntries(
  headers.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1]]] : [])),
);

describe.each(['/dashboard', '/dashboard/jobs/7', '/dashboard/billing/ledger?key_id=a'])('%s', (address) => {
  it('leads to the sign-in page and back if there is no cookie', async () => {
    const answer = await request(harness.url).get(address);
    expect([answer.status, answer.headers.location]).toEqual([
      303,
      `/signin?to=${encodeURIComponent(address)}`,
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('is the page with a cookie: strict, without inline script or style, never stored', async () => {
    const { status, headers, text } = await request(harness.url).get(address).set('Cookie', cookie);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      ...strict,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(text).not.toMatch(/<style|<script(?! src="\/assets\/)|<[^>]+\s(style|on\w+)=/i);
    expect(text).toContain(`data-player="${PLAYER}"`);
    for (const name of Object.values(names)) expect(text).toContain(`/assets/${name}`);
  });

  it('takes no other method', async () => {
    const answer = await request(harness.url).post(address).set('Cookie', cookie);
    expect([answer.status, answer.body.code]).toEqual([405, 'method_not_allowed']);
  });
});

it('a sign-in leads back to this site, whatever the address looks like', async () => {
  const answer = await request(harness.url).get('/dashboard//evil.example');
  expect(answer.headers.location ?? '/').toMatch(/^\//);
});

it.each(Object.values(names))('%s is kept for ever', async (name) => {
  const { status, headers } = await request(harness.url).get(`/assets/${name}`);
  expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect(headers['content-type']).toMatch(name.endsWith('.js') ? /^text\/javascript/ : /^text\/css/);
});

it('the script comes compressed', async () => {
  const answer = await request(harness.url).get(`/assets/${names.script}`).set('Accept-Encoding', 'br');
  expect(answer.headers['content-encoding']).toBe('br');
});

it('the names of the build are no file of the site', async () => {
  expect((await request(harness.url).get('/assets/assets.json')).status).toBe(404);
});

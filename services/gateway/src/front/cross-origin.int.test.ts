import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { methodsByPath, routeTable } from '@tds/http-api';
import request from 'supertest';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';
import { isOpenToSites } from './cross-origin.ts';

let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;
beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount({ tier: 'paid' });
});
afterAll(() => harness?.stop());

const expectClosed = (headers: Record<string, string>): void =>
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);

describe('a page of another site', () => {
  const origin = 'https://app.example';
  const exposed = ['X-Request-Id', 'X-Cache', 'X-Credits-Charged', 'X-RateLimit-Limit', 'Retry-After'];

  it('reads what it asks with a key, and the usual headers of the answer', async () => {
    for (const path of ['/v1/account', '/v1/status', '/v1/nowhere', '/v1/jobs/unknown']) {
      const { headers } = await request(harness.url)
        .get(path)
        .set({ origin, ...account.bearer });
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      expect(headers['access-control-expose-headers']?.split(', ')).toEqual(expect.arrayContaining(exposed));
    }
  });

  it.each([...methodsByPath(routeTable)])(
    'may preflight %s if it takes keys, and never sends cookies',
    async (path) => {
      const { headers } = await request(harness.url)
        .options(path)
        .set({ origin, 'access-control-request-method': 'POST' });
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      expect(String(headers['access-control-allow-headers'])).not.toMatch(/dashboard|\*/i);
      const open = routeTable.filter((row) => row.path === path && isOpenToSites(row));
      if (open.length === 0) return expectClosed(headers);
      expect(headers['access-control-allow-origin']).toBe('*');
      const methods = String(headers['access-control-allow-methods']).split(', ');
      expect(methods).toEqual(expect.arrayContaining(open.map(({ method }) => method)));
    },
  );

  it('reads nothing that comes with a cookie, signs in or needs a session', async () => {
    const cookie = `svc_dashboard=${'a'.repeat(43)}`;
    expectClosed((await request(harness.url).get('/v1/account').set({ origin, cookie })).headers);
    expectClosed((await request(harness.url).get('/v1/sessions').set({ origin })).headers);
    expectClosed((await request(harness.url).post('/v1/auth/code').set({ origin }).send({})).headers);
  });
});

it('a page says that its host is reached by https alone, where cookies are secure', async () => {
  const { headers } = await request(harness.url).get('/');
  expect(headers['strict-transport-security']).toBe('max-age=31536000');
});

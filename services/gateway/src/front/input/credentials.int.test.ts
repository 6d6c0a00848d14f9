import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApiKey, createSessionToken, digestSecret } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { type Route, routeTable } from '@tds/http-api';
import request from 'supertest';
import { newPrincipal } from '../../test-support/builders.ts';
import { rawRequest, readBody, sendRaw } from '../../test-support/raw-http.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

const session = createSessionToken();
const cookie = `svc_dashboard=${session}`;
let harness: TestGateway;
let goodKey: string;

beforeAll(async () => {
  harness = await startTestGateway();
  goodKey = (await harness.addAccount({ tier: 'paid' })).key;
  const principal = newPrincipal({ keyId: null });
  const refuse = harness.identity.commands.authenticateSession;
  harness.identity.commands.authenticateSession = async (asked, context) =>
    asked.sessionDigest === digestSecret(session) ? principal : refuse(asked, context);
});
afterAll(() => harness?.stop());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('a session that has ended', () => {
  const ended = { cookie: `svc_dashboard=${createSessionToken()}` };

  it('gets a challenge, and its cookie is cleared', async () => {
    for (const headers of [ended, { cookie: 'svc_dashboard=malformed' }]) {
      const answer = await request(harness.url).get('/v1/keys').set(headers);
      expect([answer.status, answer.body.code]).toEqual([401, 'session_required']);
      expect(answer.headers['www-authenticate']).toContain('svc_dashboard');
      expect(answer.headers['set-cookie']?.[0]).toMatch(/^svc_dashboard=; Max-Age=0;/);
    }
  });

  it('keeps a cookie that was not checked', async () => {
    const byKey = await request(harness.url)
      .post('/v1/auth/logout')
      .set({ ...ended, ...bearer(goodKey) });
    expect([byKey.status, byKey.headers['set-cookie']]).toEqual([401, undefined]);
    const { authenticateSession: answers } = harness.identity.commands;
    harness.identity.commands.authenticateSession = async () => {
      throw serviceError('service_unavailable');
    };
    const away = await request(harness.url).get('/v1/keys').set(ended);
    harness.identity.commands.authenticateSession = answers;
    expect([away.status, away.headers['set-cookie']]).toEqual([503, undefined]);
  });
});

describe('two session cookies', () => {
  it.each([
    ['in one header', ['Cookie: svc_dashboard=x; svc_dashboard=y']],
    ['in two headers', ['Cookie: svc_dashboard=x', 'Cookie: svc_dashboard=y']],
    ['of which one is good', [`Cookie: ${cookie}`, 'Cookie: svc_dashboard=y']],
  ])('%s are rejected without a call to a service', async (_what, headers) => {
    harness.identity.asked.length = 0;
    const answer = await sendRaw(harness.url, rawRequest('GET /v1/keys', headers));
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(readBody(answer)).toMatchObject({ code: 'malformed_request' });
    expect(harness.identity.asked).toEqual([]);
  });
});

describe('credentials', () => {
  it('two Authorization headers are no credential, whatever they contain', async () => {
    const row = routeTable.find(({ id }) => id === 'getVideo') as Route;
    const twice = { authorization: [`Bearer ${goodKey}`, `Bearer ${goodKey}`] };
    const answer = await fetchWithRepeatedHeaders(harness.url, row.path, twice.authorization);
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
  });

  it('an unknown key is looked up once in five seconds, a malformed one never', async () => {
    const key = createApiKey();
    harness.identity.asked.length = 0;
    for (let round = 0; round < 5; round += 1) {
      await request(harness.url).get('/v1/video').set(bearer(key));
      await request(harness.url)
        .get('/v1/video')
        .set(bearer(`${key}x`));
    }
    expect(harness.identity.asked).toEqual([
      { name: 'authenticateKey', request: { keyDigest: digestSecret(key) } },
    ]);
  });
});

async function fetchWithRepeatedHeaders(url: string, path: string, values: readonly string[]): Promise<string> {
  return sendRaw(
    url,
    rawRequest(
      `GET ${path}?video_id=dQw4w9WgXcQ`,
      values.map((value) => `Authorization: ${value}`),
    ),
  );
}

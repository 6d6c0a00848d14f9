import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  apiKey,
  createSessionToken,
  digestSecret,
  displayPrefix,
  isWellFormedCredential,
} from '@tds/contracts';
import { routes } from '@tds/http-api';
import request from 'supertest';
import { newPrincipal } from '../../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

const session = createSessionToken();
const holder = newPrincipal({ keyId: null });
const dashboard = { cookie: `svc_dashboard=${session}`, 'x-service-dashboard': '1' };
const keyId = '11111111-2222-4333-8444-555555555555';
let harness: TestGateway;
let account: Awaited<ReturnType<TestGateway['addAccount']>>;

beforeAll(async () => {
  harness = await startTestGateway();
  account = await harness.addAccount({ tier: 'paid' });
  harness.identity.commands.authenticateSession = async () => holder;
});
afterAll(() => harness?.stop());
beforeEach(() => {
  harness.identity.asked.length = 0;
});

const asked = (name: string) =>
  harness.identity.asked.filter((one) => one.name === name).map((one) => one.request);
const post = (path: string, body?: unknown) => {
  const sent = request(harness.url).post(path).set(account.bearer);
  return body === undefined ? sent : sent.send(body as object);
};
const revoke = (path: string, body?: unknown) => {
  const sent = request(harness.url).delete(path).set(account.bearer);
  return body === undefined ? sent : sent.send(body as object);
};

describe('a new key', () => {
  it('is shown once, with a secret that no service gets', async () => {
    const answer = await post('/v1/keys', { name: '  laptop ', daily_credit_cap: 7 });
    expect(answer.status).toBe(201);
    const { key } = routes.createKey.responses[201].schema.parse(answer.body);
    expect(isWellFormedCredential(key.secret)).toBe(true);
    expect(key).toMatchObject({ name: 'laptop', daily_credit_cap: 7, prefix: displayPrefix(key.secret) });
    expect(asked('createKey')).toMatchObject([
      {
        accountId: account.principal.accountId,
        by: { keyId: account.principal.keyId, clientAddress: '127.0.0.1' },
        name: 'laptop',
        dailyCreditCap: 7,
        keyDigest: digestSecret(key.secret),
        keyPrefix: key.prefix,
      },
    ]);
    const listed = await request(harness.url).get('/v1/keys').set(account.bearer);
    expect(routes.listKeys.responses[200].schema.parse(listed.body)).toEqual(listed.body);
    expect(listed.text).not.toContain('secret');
  });

  it('is also made by rotation, with a description of the replaced key', async () => {
    const answer = await post(`/v1/keys/${keyId}/rotate`);
    expect(answer.status).toBe(201);
    const { key, replaced } = routes.rotateKey.responses[201].schema.parse(answer.body);
    expect(isWellFormedCredential(key.secret)).toBe(true);
    expect(replaced).toMatchObject({ id: keyId, status: 'revoking' });
    expect(answer.body.replaced).not.toHaveProperty('secret');
  });
});

describe('the key of a session', () => {
  const obtain = () => request(harness.url).post('/v1/dashboard/key').set(dashboard);
  const secretOf = async () => {
    const answer = await obtain();
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store']);
    return routes.createDashboardKey.responses[200].schema.parse(answer.body).key;
  };
  /** Identity keeps what the first request sent, unless a later one replaces it. */
  const keepKey = (known?: { id: string; prefix: string; keyDigest: string }) => {
    let kept = known;
    harness.identity.commands.createDashboardKey = async ({ keyId: id, keyPrefix, keyDigest, replaces }) => {
      if (kept === undefined || kept.id === replaces) kept = { id, prefix: keyPrefix, keyDigest };
      const { keyDigest: digest, ...key } = kept;
      return { key, keyDigest: digest };
    };
  };

  it('is the same one each time, and no service gets it', async () => {
    keepKey();
    const [first, second] = [await secretOf(), await secretOf()];
    expect(second).toEqual(first);
    expect(isWellFormedCredential(first.secret)).toBe(true);
    expect(asked('createDashboardKey')).toMatchObject(
      Array(2).fill({ accountId: holder.accountId, sessionDigest: digestSecret(session) }),
    );
    expect(JSON.stringify(harness.identity.asked)).not.toContain(first.secret);
  });

  it('that this gateway cannot derive is replaced', async () => {
    const lost = { id: keyId, prefix: 'svc_live_abc', keyDigest: digestSecret('of another replay secret') };
    keepKey(lost);
    const { id, secret } = await secretOf();
    expect(id).not.toBe(lost.id);
    expect(await secretOf()).toMatchObject({ id, secret });
    expect(asked('createDashboardKey')).toMatchObject([{}, { replaces: lost.id }, {}]);
  });

  it.each([
    ['a key', () => account.bearer, 401, 'session_required'],
    [
      'a session without the dashboard header',
      () => ({ cookie: dashboard.cookie }),
      403,
      'dashboard_header_required',
    ],
  ] as const)('is answered to no caller with %s', async (_who, headers, status, code) => {
    const answer = await request(harness.url).post('/v1/dashboard/key').set(headers());
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(asked('createDashboardKey')).toEqual([]);
  });
});

describe('a key is rejected', () => {
  const tooLong = 'x'.repeat(65);
  it.each([
    ...[undefined, '', '   ', 5, null, tooLong, 'a\u0000b', 'a\nb', 'a\u2028b', 'a\ud800', ['a'], {}].map(
      (name) => ({ body: { name }, code: 'invalid_key_name' }),
    ),
    ...[0, -1, 1.5, 1_000_001, '5', '', true, [5], {}].map((daily_credit_cap) => ({
      body: { name: 'x', daily_credit_cap },
      code: 'invalid_daily_credit_cap',
    })),
  ])('with $code for $body', async ({ body, code }) => {
    const answer = await post('/v1/keys', body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(asked('createKey')).toEqual([]);
  });

  it.each([
    { name: 'x'.repeat(64) },
    { name: '\u{1F511}'.repeat(64) },
    { name: 'x', daily_credit_cap: 1 },
    { name: 'x', daily_credit_cap: 1_000_000 },
    { name: 'x', daily_credit_cap: null },
  ])('not for %j', async (body) => {
    expect((await post('/v1/keys', body)).status).toBe(201);
  });
});

describe('a change', () => {
  it.each([{}, undefined])('of nothing is empty_key_update: %j', async (body) => {
    const answer = await post(`/v1/keys/${keyId}`, body);
    expect([answer.status, answer.body.code]).toEqual([400, 'empty_key_update']);
  });

  it('passes the sent fields on, and null for no cap', async () => {
    const answer = await post(`/v1/keys/${keyId}`, { daily_credit_cap: null });
    expect(answer.status).toBe(200);
    expect(apiKey.parse(answer.body.key)).toMatchObject({ id: keyId });
    expect(asked('updateKey')).toMatchObject([{ keyId, dailyCreditCap: null }]);
    expect(asked('updateKey')[0]).not.toHaveProperty('name');
  });
});

describe('revoking', () => {
  it.each([
    [undefined, 0],
    [{}, 0],
    [{ grace_period_hours: 0 }, 0],
    [{ grace_period_hours: 24 }, 24],
  ])('accepts %j as a grace of %i hours', async (body, graceHours) => {
    const answer = await revoke(`/v1/keys/${keyId}`, body);
    expect(answer.status).toBe(200);
    expect(asked('revokeKey')).toMatchObject([{ keyId, graceHours }]);
  });

  it.each([1, 23, 25, -24, '24', null, true, 24.5, [24]])('rejects a grace of %j', async (hours) => {
    const answer = await revoke(`/v1/keys/${keyId}`, { grace_period_hours: hours });
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_grace_period']);
    expect(asked('revokeKey')).toEqual([]);
  });
});

describe('an id in upper case', () => {
  it('is the same id, and is passed on in its stored form', async () => {
    const capitals = 'ABCDEF00-2222-4333-8444-555555555555';
    await revoke(`/v1/keys/${capitals}`);
    expect(asked('revokeKey')).toMatchObject([{ keyId: capitals.toLowerCase() }]);
  });
});

describe('an invalid id', () => {
  it.each(['x', 'null', '%00', '1', `${keyId}0`, `{${keyId}}`, "'%20OR%201=1--"])(
    '%s is not found, like an unknown one',
    async (id) => {
      const answers = [
        await post(`/v1/keys/${id}`, { name: 'x' }),
        await revoke(`/v1/keys/${id}`),
        await post(`/v1/keys/${id}/rotate`),
      ];
      for (const answer of answers) {
        expect([answer.status, answer.body.code]).toEqual([404, 'key_not_found']);
      }
      expect(harness.identity.asked).toEqual([]);
    },
  );
});

describe('a session', () => {
  it('may do all of it with the dashboard header, and is recorded as such', async () => {
    expect((await request(harness.url).get('/v1/keys').set('cookie', dashboard.cookie)).status).toBe(200);
    const created = await request(harness.url).post('/v1/keys').set(dashboard).send({ name: 'x' });
    expect(created.status).toBe(201);
    expect(asked('createKey')).toMatchObject([{ accountId: holder.accountId, by: { keyId: null } }]);
    const refused = await request(harness.url).delete(`/v1/keys/${keyId}`).set('cookie', dashboard.cookie);
    expect([refused.status, refused.body.code]).toEqual([403, 'dashboard_header_required']);
  });

  it('is ignored beside a Bearer key, valid or not', async () => {
    await request(harness.url)
      .get('/v1/keys')
      .set({ ...dashboard, ...account.bearer });
    expect(asked('listKeys')).toEqual([{ accountId: account.principal.accountId }]);
    const bad = await request(harness.url)
      .get('/v1/keys')
      .set({ ...dashboard, authorization: 'Bearer x' });
    expect([bad.status, bad.body.code]).toEqual([403, 'invalid_api_key']);
  });
});

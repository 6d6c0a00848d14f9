import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  codeProofText,
  createSessionToken,
  digestSecret,
  type identity,
  isWellFormedCredential,
  type RequestOf,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import request from 'supertest';
import { newPrincipal } from '../../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../../test-support/start-gateway.ts';

const NOW = new Date('2026-01-15T12:00:00.000Z');
const accountId = '0b0e5a8e-6c5e-4c5e-9c5e-6c5e4c5e9c5e';
const firstKey = {
  id: '1b0e5a8e-6c5e-4c5e-9c5e-6c5e4c5e9c5e',
  name: 'First key',
  createdAt: NOW.toISOString(),
};
const sessionId = '11111111-2222-4333-8444-555555555556';
const sessionExpiresAt = '2026-01-16T00:00:00.000Z';
const body = { email: 'a@example.com', code: '123456', accept_terms: true };
let harness: TestGateway;

beforeAll(async () => {
  harness = await startTestGateway({
    overrides: { now: () => NOW },
    environment: { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' },
  });
});
afterAll(() => harness?.stop());
beforeEach(() => {
  harness.identity.asked.length = 0;
  harness.identity.commands.verifyCode = async () => ({ ...signedIn, firstKey });
});

const deviceProof = 'p'.repeat(52);
const signedIn = { accountId, sessionId, sessionExpiresAt, deviceProof };
const verify = (sentBody: object = body) => request(harness.url).post('/v1/auth/verify').send(sentBody);

describe('POST /v1/auth/verify', () => {
  it('shows the first key once, and sends digests of both secrets and a proof of the code over the bus', async () => {
    const answer = await verify();
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ok: true,
      account: { id: accountId },
      session: { id: sessionId, expires_at: sessionExpiresAt },
      key: {
        id: firstKey.id,
        name: 'First key',
        prefix: answer.body.key.secret.slice(0, 12),
        secret: expect.any(String),
        created_at: NOW.toISOString(),
      },
    });
    const { secret } = answer.body.key;
    const session = /^svc_dashboard=([^;]+)/.exec(answer.headers['set-cookie']?.[0] ?? '')?.[1] ?? '';
    expect(isWellFormedCredential(secret)).toBe(true);
    const sent = harness.identity.asked[0]?.request as RequestOf<typeof identity.verifyCode>;
    expect(sent).toEqual({
      email: 'a@example.com',
      codeProof: harness.codeMacs.sign(codeProofText({ ...sent, code: '123456' })),
      acceptTerms: true,
      clientAddress: '127.0.0.1',
      sessionDigest: digestSecret(session),
      keyDigest: digestSecret(secret),
      keyPrefix: secret.slice(0, 12),
      newDeviceDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('makes the browser known with a new secret each time, of which identity gets the digest only', async () => {
    const deviceOf = async (cookie: string) => {
      const answer = await verify().set('cookie', cookie);
      const [session, device] = answer.headers['set-cookie'] ?? [];
      expect(session).toMatch(/^svc_dashboard=/);
      expect(device).toMatch(/; Max-Age=31536000; Path=\/v1\/auth; HttpOnly; Secure; SameSite=Strict$/);
      return String(device).slice('svc_device='.length, String(device).indexOf(';'));
    };
    const first = await deviceOf('a=b');
    const second = await deviceOf(`svc_device=${first}`);
    const digestOf = (value: string) => digestSecret(value.slice(0, 43));
    expect(harness.identity.asked.map(({ request: sent }) => sent)).toEqual([
      expect.objectContaining({ newDeviceDigest: digestOf(first) }),
      expect.objectContaining({
        newDeviceDigest: digestOf(second),
        device: { digest: digestOf(first), proof: deviceProof },
      }),
    ]);
    expect(first).not.toBe(second);
    expect(JSON.stringify(harness.identity.asked)).not.toContain(first.slice(0, 43));
  });

  it('sets a cookie that scripts, other sites and plain http never get', async () => {
    const answer = await verify();
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^svc_dashboard=[A-Za-z0-9_-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
      expect.stringMatching(/^svc_device=/),
    ]);
  });

  it.each([
    '123 456',
    '123-456',
    ' 123\u200b456\u2060\n',
    '１２３４５６',
    '123\u2013456',
    '\u202a123456\u202c',
  ])('reads a code as it is pasted: %j', async (code) => {
    expect((await verify({ ...body, code })).status).toBe(200);
    const sent = harness.identity.asked[0]?.request as RequestOf<typeof identity.verifyCode>;
    expect(sent.codeProof).toBe(harness.codeMacs.sign(codeProofText({ ...sent, code: '123456' })));
  });

  it('returns key: null at a later sign-in', async () => {
    harness.identity.commands.verifyCode = async () => ({ ...signedIn, firstKey: null });
    expect((await verify()).body.key).toBeNull();
  });

  it('passes an error on with its wait', async () => {
    harness.identity.commands.verifyCode = async () => {
      throw serviceError('code_locked', { retryAfterSeconds: 900 });
    };
    const answer = await verify();
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe('900');
    expect(answer.body).toMatchObject({ code: 'code_locked', retry_after: 900 });
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  it.each([
    [{ ...body, code: '12345' }, 'invalid_code'],
    [{ ...body, code: 123_456 }, 'invalid_code'],
    [{ ...body, code: '1 2 3 4 5 6 7' }, 'invalid_code'],
    [{ ...body, code: ' '.repeat(60_000) }, 'invalid_code'],
    [{ ...body, accept_terms: 'true' }, 'terms_required'],
    [{ ...body, accept_terms: 1 }, 'terms_required'],
    [{ email: body.email, code: body.code }, 'terms_required'],
    [{ code: body.code, accept_terms: true }, 'invalid_email'],
  ])('rejects %j as %s without a call to identity', async (sentBody, code) => {
    const answer = await verify(sentBody);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe(code);
    expect(harness.identity.asked).toEqual([]);
  });
});

describe('POST /v1/auth/code', () => {
  it.each([
    ['what a trusted proxy saw', '203.0.113.7', '203.0.113.7'],
    ['the last untrusted address of a chain', '6.6.6.6, 203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['the proxy itself when there is no chain', undefined, '127.0.0.1'],
  ])('passes %s on to identity', async (_what, forwarded, clientAddress) => {
    const sent = request(harness.url).post('/v1/auth/code').send({ email: 'a@example.com' });
    expect((await (forwarded ? sent.set('x-forwarded-for', forwarded) : sent)).status).toBe(200);
    expect(harness.identity.asked[0]?.request).toEqual({ email: 'a@example.com', clientAddress });
  });
});

describe('the cookie of a known browser', () => {
  it('is passed on to identity with a request for a code; two cookies count as none', async () => {
    const [secret, proof] = [createSessionToken(), 'p'.repeat(52)];
    const ask = (cookie: string) =>
      request(harness.url).post('/v1/auth/code').set('cookie', cookie).send({ email: 'a@example.com' });
    const cookie = `svc_device=${secret}.${proof}`;
    for (const sent of [cookie, `${cookie}; ${cookie}`, 'svc_device=x'])
      expect((await ask(sent)).status).toBe(200);
    const plain = { email: 'a@example.com', clientAddress: '127.0.0.1' };
    expect(harness.identity.asked.map(({ request: sent }) => sent)).toEqual([
      { ...plain, device: { digest: digestSecret(secret), proof } },
      ...[plain, plain],
    ]);
  });
});

describe('POST /v1/auth/logout', () => {
  it('ends the session and clears the cookie', async () => {
    const session = createSessionToken();
    harness.identity.commands.authenticateSession = async () => newPrincipal({ keyId: null });
    const answer = await request(harness.url)
      .post('/v1/auth/logout')
      .set({ cookie: `svc_dashboard=${session}`, 'x-service-dashboard': '1' });
    expect(answer.status).toBe(204);
    expect(answer.headers['set-cookie']).toEqual([
      'svc_dashboard=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict',
    ]);
    expect(harness.identity.asked.at(-1)).toEqual({
      name: 'endSession',
      request: { sessionDigest: digestSecret(session) },
    });
  });
});

describe('a gateway without trusted proxies', () => {
  it('ignores X-Forwarded-For', async () => {
    const alone = await startTestGateway();
    try {
      await request(alone.url)
        .post('/v1/auth/code')
        .set('x-forwarded-for', '203.0.113.7')
        .send({ email: 'a@example.com' });
      expect(alone.identity.asked[0]?.request).toMatchObject({ clientAddress: '127.0.0.1' });
    } finally {
      await alone.stop();
    }
  });
});

describe('POST /v1/auth/invitation', () => {
  const accept = (invitation_id: string, headers: Record<string, string> = {}) =>
    request(harness.url)
      .post('/v1/auth/invitation')
      .set({ 'x-forwarded-for': '198.51.100.7', ...headers })
      .send({ invitation_id, code: '7KQ2-M4XA-9RTW', accept_terms: true });
  const locked = '0199c3a0-0000-4000-8000-000000000001';

  it('remembers a lock for its invitation, and for no other one of the network', async () => {
    harness.identity.commands.acceptInvitation = async ({ invitationId }) => {
      if (invitationId === locked) throw serviceError('code_locked', { retryAfterSeconds: 900 });
      return signedIn;
    };
    for (let time = 0; time < 2; time += 1) expect((await accept(locked)).body.code).toBe('code_locked');
    expect(harness.identity.asked).toHaveLength(1);
    expect((await accept(accountId)).status).toBe(200);
  });

  it('says which session the browser has until now', async () => {
    harness.identity.commands.acceptInvitation = async () => signedIn;
    const token = createSessionToken();
    await accept(accountId, { cookie: `svc_dashboard=${token}` });
    await accept(accountId, { cookie: 'svc_dashboard=x' });
    expect(harness.identity.asked.map(({ request: sent }) => sent)).toMatchObject([
      { formerSessionDigest: digestSecret(token) },
      expect.not.objectContaining({ formerSessionDigest: expect.anything() }),
    ]);
  });
});

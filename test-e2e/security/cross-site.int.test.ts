import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, postJson, readCode, shareTestSystem, type TestSystem } from '#support/testing';

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const elsewhere = { origin: 'https://evil.example' };

describe('a page of another site', () => {
  it('is never allowed cookies or the header that changes with a session need', async () => {
    for (const path of ['/v1/keys', '/v1/account', '/v1/auth/logout', '/v1/usage']) {
      const answer = await call(`${system.gateway}${path}`, {
        method: 'OPTIONS',
        headers: {
          ...elsewhere,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-service-dashboard',
        },
      });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('access-control-allow-headers') ?? '').not.toMatch(/dashboard|\*/i);
      if (path === '/v1/auth/logout') expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('reads answers to a key and public answers, and never one that a cookie came with', async () => {
    const read = async (path: string, headers: Record<string, string>) =>
      (await call(`${system.gateway}${path}`, { headers: { ...elsewhere, ...headers } })).headers.get(
        'access-control-allow-origin',
      );
    expect(await read('/v1/status', {})).toBe('*');
    expect(await read('/v1/account', { authorization: 'Bearer svc_live_unknown' })).toBe('*');
    expect(await read('/v1/account', { cookie: 'svc_dashboard=a' })).toBeNull();
    expect(await read('/v1/sessions', {})).toBeNull();
  });

  it('gets no session along, and without the header no change is made with one', async () => {
    const email = `${randomUUID()}@example.com`;
    await postJson(`${system.gateway}/v1/auth/code`, { email });
    const code = await readCode(system.mail.url, email);
    const verified = await postJson(`${system.gateway}/v1/auth/verify`, { email, code, accept_terms: true });
    const cookie = String(verified.headers.get('set-cookie'));
    expect(cookie).toMatch(/^svc_dashboard=[\w-]{43};/);
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Strict/i);
    const forged = await postJson(
      `${system.gateway}/v1/keys`,
      { name: 'forged' },
      { ...elsewhere, cookie: cookie.slice(0, cookie.indexOf(';')) },
    );
    expect([forged.status, forged.json().code]).toEqual([403, 'dashboard_header_required']);
  });
});

describe('asking for a code', () => {
  it('does not tell whether an address has an account', async () => {
    const known = `${randomUUID()}@example.com`;
    await postJson(`${system.gateway}/v1/auth/code`, { email: known });
    const code = await readCode(system.mail.url, known);
    await postJson(`${system.gateway}/v1/auth/verify`, { email: known, code, accept_terms: true });
    const [asKnown, asNew] = await Promise.all([
      postJson(`${system.gateway}/v1/auth/code`, { email: known }),
      postJson(`${system.gateway}/v1/auth/code`, { email: `${randomUUID()}@example.com` }),
    ]);
    expect(asKnown.text).toBe(asNew.text);
    expect([asKnown.status, [...asKnown.headers.keys()]]).toEqual([asNew.status, [...asNew.headers.keys()]]);
  });
});

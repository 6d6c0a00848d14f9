import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awaitMails, postJson, readCode, shareTestSystem, type TestSystem } from '#support/testing';

let system: TestSystem;
beforeAll(async () => {
  system = await shareTestSystem();
});
afterAll(() => system?.stop());

const newEmail = () => `${randomUUID()}@example.com`;
const ask = (email: string, cookie = 'a=b') =>
  postJson(`${system.gateway}/v1/auth/code`, { email }, { cookie });
const enter = (email: string, code: string, cookie = 'a=b') =>
  postJson(`${system.gateway}/v1/auth/verify`, { email, code, accept_terms: true }, { cookie });
/** Asks for a code, uses it, and answers with the browser's cookies. */
const signIn = async (email: string, cookie?: string): Promise<string> => {
  const since = new Date();
  expect((await ask(email, cookie)).status).toBe(200);
  const answer = await enter(email, await readCode(system.mail.url, email, since), cookie);
  expect(answer.status).toBe(200);
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
};

describe('an owner whose address strangers ask codes for and guess at', () => {
  it('still signs in with the browser that did so before; others learn how long to wait', async () => {
    const [owner, stranger] = [newEmail(), newEmail()];
    const [browser, foreign] = [await signIn(owner), await signIn(stranger)];
    expect(browser).toMatch(/^svc_dashboard=[\w-]{43}; svc_device=[\w-]{43}\.[\w-]{52}$/);
    for (const status of [200, 200, 429]) expect((await ask(owner)).status).toBe(status);
    await awaitMails(system.mail.url, owner, 3);
    const right = await readCode(system.mail.url, owner);
    const wrong = right === '000000' ? '000001' : '000000';
    for (let guess = 0; guess < 5; guess += 1)
      expect((await enter(owner, wrong)).json().code).toBe('invalid_code');
    for (const cookie of ['a=b', foreign, `${browser}x`]) {
      const refused = await ask(owner, cookie);
      // The lock is over before that, the three codes of an hour are not.
      expect(refused.json()).toMatchObject({ code: 'signup_rate_limited', retryable: false });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(15 * 60);
    }
    const next = await signIn(owner, browser);
    // The session before it goes on; the browser is known by a new secret.
    expect(next.split('; ')[1]).not.toBe(browser.split('; ')[1]);
  });
});

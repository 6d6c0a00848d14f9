import { describe, expect, it } from '@jest/globals';
import { createSessionToken, digestSecret } from '@tds/contracts';
import { deviceCookie, sessionCookie } from './cookies.ts';

const token = createSessionToken();

describe('the session cookie', () => {
  it.each([
    [`svc_dashboard=${token}`],
    [`a=b; svc_dashboard=${token}; c=d`],
    [`xsvc_dashboard=x; svc_dashboard=${token}; svc_dashboard2=x`],
  ])('is found in %s', (header) => {
    expect(sessionCookie.read(header)).toEqual({ kind: 'token', token });
  });

  it.each([
    `svc_dashboard=${token}; svc_dashboard=x`,
    `svc_dashboard=x;svc_dashboard =${token}`,
    `svc_dashboard=${token}; a=b; svc_dashboard=${token}`,
  ])('is rejected if there are several: %s', (header) => {
    expect(sessionCookie.read(header).kind).toBe('several');
  });

  it.each([undefined, '', 'a=b', 'xsvc_dashboard=1', 'svc_dashboard2=1', 'SVC_DASHBOARD=1'])(
    'is not in %j',
    (header) => {
      expect(sessionCookie.read(header).kind).toBe('none');
    },
  );

  it.each(['', 'x', `${token}x`, '%00', '"'])('with the value %j cannot be a session', (value) => {
    expect(sessionCookie.read(`svc_dashboard=${value}`).kind).toBe('malformed');
  });

  const expires = new Date('2026-01-15T12:00:30.900Z');
  const now = new Date('2026-01-15T12:00:00.000Z');

  it('lives as long as its session, and is Secure by default', () => {
    expect(sessionCookie.set(token, expires, now, true)).toBe(
      `svc_dashboard=${token}; Max-Age=30; Path=/; HttpOnly; Secure; SameSite=Strict`,
    );
    expect(sessionCookie.set(token, expires, now, false)).not.toContain('Secure');
    expect(sessionCookie.set(token, now, expires, true)).toContain('Max-Age=0;');
  });

  it('is cleared by an empty one of the same kind', () => {
    expect(sessionCookie.end(true)).toBe(
      'svc_dashboard=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict',
    );
  });
});

const secret = createSessionToken();
const proof = 'p'.repeat(52);
const value = `${secret}.${proof}`;

describe('the cookie of a known browser', () => {
  it('is read independently of the session', () => {
    const session = createSessionToken();
    for (const header of [
      `svc_dashboard=${session}; svc_device=${value}`,
      `svc_device=${value}; a=b; svc_dashboard=${session}`,
    ]) {
      expect(deviceCookie.read(header)).toEqual({ digest: digestSecret(secret), proof });
      expect(sessionCookie.read(header)).toEqual({ kind: 'token', token: session });
    }
  });

  it.each([
    undefined,
    'a=b',
    `xsvc_device=${value}`,
    'svc_device=',
    `svc_device=${secret}`,
    `svc_device=${value.slice(0, -1)}`,
    `svc_device=${value}x`,
    `svc_device=${value}; svc_device=${value}`,
    `svc_device=x; svc_device=${value}`,
  ])('is none in %j', (header) => {
    expect(deviceCookie.read(header)).toBeUndefined();
  });

  it('is sent to sign-in only, for a year, never to scripts or from other sites', () => {
    expect(deviceCookie.set(secret, proof, true)).toBe(
      `svc_device=${value}; Max-Age=31536000; Path=/v1/auth; HttpOnly; Secure; SameSite=Strict`,
    );
    expect(deviceCookie.set(secret, proof, false)).not.toContain('Secure');
  });
});

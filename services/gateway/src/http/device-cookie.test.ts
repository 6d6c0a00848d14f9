import { describe, expect, it } from '@jest/globals';
import { createSessionToken, digestSecret } from '@tds/contracts';
import { deviceSetCookie, readDeviceCookie } from './device-cookie.ts';
import { readSessionCookie } from './session-cookie.ts';

const secret = createSessionToken();
const proof = 'p'.repeat(52);
const value = `${secret}.${proof}`;

describe('the cookie of a known browser', () => {
  it('is read beside the session, each without the other', () => {
    const session = createSessionToken();
    for (const header of [
      `svc_dashboard=${session}; svc_device=${value}`,
      `svc_device=${value}; a=b; svc_dashboard=${session}`,
    ]) {
      expect(readDeviceCookie(header)).toEqual({ digest: digestSecret(secret), proof });
      expect(readSessionCookie(header)).toEqual({ kind: 'token', token: session });
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
    expect(readDeviceCookie(header)).toBeUndefined();
  });

  it('goes to sign-in alone, for a year, and neither to scripts nor along from other sites', () => {
    expect(deviceSetCookie(secret, proof, true)).toBe(
      `svc_device=${value}; Max-Age=31536000; Path=/v1/auth; HttpOnly; Secure; SameSite=Strict`,
    );
    expect(deviceSetCookie(secret, proof, false)).not.toContain('Secure');
  });
});

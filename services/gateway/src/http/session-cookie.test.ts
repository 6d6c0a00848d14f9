import { describe, expect, it } from '@jest/globals';
import { createSessionToken } from '@tds/contracts';
import { endedSetCookie, readSessionCookie, sessionSetCookie } from './session-cookie.ts';

const token = createSessionToken();

describe('the session cookie', () => {
  it.each([
    [`svc_dashboard=${token}`],
    [`a=b; svc_dashboard=${token}; c=d`],
    [`xsvc_dashboard=x; svc_dashboard=${token}; svc_dashboard2=x`],
  ])('is found in %s', (header) => {
    expect(readSessionCookie(header)).toEqual({ kind: 'token', token });
  });

  it.each([
    `svc_dashboard=${token}; svc_dashboard=x`,
    `svc_dashboard=x;svc_dashboard =${token}`,
    `svc_dashboard=${token}; a=b; svc_dashboard=${token}`,
  ])('is not chosen from several: %s', (header) => {
    expect(readSessionCookie(header).kind).toBe('several');
  });

  it.each([undefined, '', 'a=b', 'xsvc_dashboard=1', 'svc_dashboard2=1', 'SVC_DASHBOARD=1'])(
    'is not in %j',
    (header) => {
      expect(readSessionCookie(header).kind).toBe('none');
    },
  );

  it.each(['', 'x', `${token}x`, '%00', '"'])('with the value %j cannot be a session', (value) => {
    expect(readSessionCookie(`svc_dashboard=${value}`).kind).toBe('malformed');
  });

  const expires = new Date('2026-01-15T12:00:30.900Z');
  const now = new Date('2026-01-15T12:00:00.000Z');

  it('lives as long as its session, and is Secure unless told otherwise', () => {
    expect(sessionSetCookie(token, expires, now, true)).toBe(
      `svc_dashboard=${token}; Max-Age=30; Path=/; HttpOnly; Secure; SameSite=Strict`,
    );
    expect(sessionSetCookie(token, expires, now, false)).not.toContain('Secure');
    expect(sessionSetCookie(token, now, expires, true)).toContain('Max-Age=0;');
  });

  it('is cleared by an empty one of the same kind', () => {
    expect(endedSetCookie(true)).toBe('svc_dashboard=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict');
  });
});

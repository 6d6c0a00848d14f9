import { ownCookie } from './own-cookie.ts';

const cookie = ownCookie('svc_dashboard', '/');
const MS = 1_000;
const wholeToken = /^[A-Za-z0-9_-]{43}$/;

/** `malformed`: one that cannot be a session, so nobody needs to be asked. */
export type SessionCookie =
  | { readonly kind: 'none' | 'malformed' | 'several' }
  | { readonly kind: 'token'; readonly token: string };

export const readSessionCookie = (header: string | undefined): SessionCookie => {
  const found = cookie.read(header);
  if (found.kind !== 'one') return { kind: found.kind };
  return wholeToken.test(found.value) ? { kind: 'token', token: found.value } : { kind: 'malformed' };
};

export const sessionSetCookie = (token: string, expiresAt: Date, now: Date, secure: boolean): string =>
  cookie.set(token, Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / MS)), secure);

export const endedSetCookie = (secure: boolean): string => cookie.set('', 0, secure);

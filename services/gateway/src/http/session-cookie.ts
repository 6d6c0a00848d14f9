import { parseCookie, stringifySetCookie } from 'cookie';

const NAME = 'svc_dashboard';
const ours = /(?<=^|;)\s*svc_dashboard\s*=/g;
const MS = 1_000;
const wholeToken = /^[A-Za-z0-9_-]{43}$/;

/**
 * `none`: no cookie of ours; `malformed`: one that cannot be a session, so nobody needs to be asked; `several`: another
 * site of the domain may have planted one, and nobody can tell which.
 */
export type SessionCookie =
  | { readonly kind: 'none' | 'malformed' | 'several' }
  | { readonly kind: 'token'; readonly token: string };

export const readSessionCookie = (header: string | undefined): SessionCookie => {
  if (header === undefined || !header.includes(NAME)) return { kind: 'none' };
  if ((header.match(ours)?.length ?? 0) > 1) return { kind: 'several' };
  const value = parseCookie(header, { decode: (text) => text })[NAME];
  if (value === undefined) return { kind: 'none' };
  return wholeToken.test(value) ? { kind: 'token', token: value } : { kind: 'malformed' };
};

const setCookie = (value: string, maxAgeSeconds: number, secure: boolean): string =>
  stringifySetCookie({
    name: NAME,
    value,
    maxAge: maxAgeSeconds,
    path: '/',
    httpOnly: true,
    secure,
    sameSite: 'strict',
  });

export const sessionSetCookie = (token: string, expiresAt: Date, now: Date, secure: boolean): string =>
  setCookie(token, Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / MS)), secure);

export const endedSetCookie = (secure: boolean): string => setCookie('', 0, secure);

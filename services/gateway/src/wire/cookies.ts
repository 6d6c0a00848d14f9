import { digestSecret, type KnownDevice, SECOND_MS } from '@tds/contracts';
import { parseCookie, stringifySetCookie } from 'cookie';

/** `several`: another site of the domain may have planted one, and they look alike. */
type FoundCookie = { readonly kind: 'none' | 'several' } | { readonly kind: 'one'; readonly value: string };

/** A cookie that scripts and other sites cannot read or send. */
const ownCookie = (name: string, path: string) => {
  const pattern = new RegExp(`(?<=^|;)\\s*${name}\\s*=`, 'g');
  return {
    read: (header: string | undefined): FoundCookie => {
      if (header === undefined || !header.includes(name)) return { kind: 'none' };
      if ((header.match(pattern)?.length ?? 0) > 1) return { kind: 'several' };
      const value = parseCookie(header, { decode: (text) => text })[name];
      return value === undefined ? { kind: 'none' } : { kind: 'one', value };
    },
    /** Returns a Set-Cookie header; a maximum age of 0 seconds clears the cookie. */
    set: (value: string, maxAge: number, secure: boolean) =>
      stringifySetCookie({ name, value, maxAge, path, httpOnly: true, secure, sameSite: 'strict' }),
  };
};

const session = ownCookie('svc_dashboard', '/');
const wholeToken = /^[A-Za-z0-9_-]{43}$/;

/** `malformed`: it cannot be a session, so identity is not asked. */
type SessionCookie =
  | { readonly kind: 'none' | 'malformed' | 'several' }
  | { readonly kind: 'token'; readonly token: string };

export const sessionCookie = {
  read: (header: string | undefined): SessionCookie => {
    const cookie = session.read(header);
    if (cookie.kind !== 'one') return { kind: cookie.kind };
    return wholeToken.test(cookie.value) ? { kind: 'token', token: cookie.value } : { kind: 'malformed' };
  },
  set: (token: string, expiresAt: Date, now: Date, secure: boolean): string =>
    session.set(token, Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / SECOND_MS)), secure),
  end: (secure: boolean): string => session.set('', 0, secure),
};

const device = ownCookie('svc_device', '/v1/auth');
const YEAR_SECONDS = 365 * 24 * 3_600;
const secretAndProof = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{52})$/;

export const deviceCookie = {
  /** Reads the browser's device secret and proof, which identity checks. Several cookies count as none. */
  read: (header: string | undefined): KnownDevice | undefined => {
    const cookie = device.read(header);
    const [, secret, proof] = (cookie.kind === 'one' && secretAndProof.exec(cookie.value)) || [];
    return secret && proof ? { digest: digestSecret(secret), proof } : undefined;
  },
  /** Identity checks the age, too. */
  set: (secret: string, proof: string, secure: boolean): string =>
    device.set(`${secret}.${proof}`, YEAR_SECONDS, secure),
};

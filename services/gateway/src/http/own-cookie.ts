import { parseCookie, stringifySetCookie } from 'cookie';

/** `several`: another site of the domain may have planted one, and nobody can tell which. */
export type Found = { readonly kind: 'none' | 'several' } | { readonly kind: 'one'; readonly value: string };

export type OwnCookie = {
  read(header: string | undefined): Found;
  /** The value of a Set-Cookie header; 0 seconds clear the cookie. */
  set(value: string, maxAgeSeconds: number, secure: boolean): string;
};

/** A cookie that scripts and other sites never see. */
export const ownCookie = (name: string, path: string): OwnCookie => {
  const ours = new RegExp(`(?<=^|;)\\s*${name}\\s*=`, 'g');
  return {
    read: (header) => {
      if (header === undefined || !header.includes(name)) return { kind: 'none' };
      if ((header.match(ours)?.length ?? 0) > 1) return { kind: 'several' };
      const value = parseCookie(header, { decode: (text) => text })[name];
      return value === undefined ? { kind: 'none' } : { kind: 'one', value };
    },
    set: (value, maxAge, secure) =>
      stringifySetCookie({ name, value, maxAge, path, httpOnly: true, secure, sameSite: 'strict' }),
  };
};

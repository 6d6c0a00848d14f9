/** `none`: no header; `malformed`: a header that carries no single Bearer credential. */
export type Bearer =
  | { readonly kind: 'none' | 'malformed' }
  | { readonly kind: 'token'; readonly token: string };

const none: Bearer = { kind: 'none' };
const malformed: Bearer = { kind: 'malformed' };
const scheme = 'bearer ';

/**
 * Reads the Authorization header. The server joins repeated headers with commas, so two of them never read as one
 * well-formed credential. The scheme's name has no case (RFC 9110, 11.1).
 */
export const readBearer = (header: string | undefined): Bearer => {
  if (header === undefined) return none;
  if (header.slice(0, scheme.length).toLowerCase() !== scheme) return malformed;
  const token = header.slice(scheme.length).trim();
  return token === '' ? malformed : { kind: 'token', token };
};

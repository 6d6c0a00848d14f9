import type { Answer, GatewayRequest } from '../wire/index.ts';

/** The answer to a request of a page. */
export type Page = (request: GatewayRequest) => Answer;
/** By address, as Express matches it. */
export type Pages = Readonly<Record<string, Page>>;

/** Pages contain no customer data, so any site may read them. Routes with credentials never send this. */
export const openToAnySite = ['Access-Control-Allow-Origin', '*'] as const;

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

/** What every page says to the browser; those with a frame name its origin. Every answer has nosniff. */
const headersWith = (directives: readonly string[]): readonly string[] => [
  'Content-Security-Policy',
  directives.join('; '),
  'Referrer-Policy',
  'no-referrer',
  'X-Frame-Options',
  'DENY',
  'Cross-Origin-Opener-Policy',
  'same-origin',
  'Permissions-Policy',
  'camera=(), microphone=(), geolocation=()',
];

export const pageHeaders = headersWith(policy);
/** Of a page without scripts and forms, which nobody but its reader has. */
export const scriptlessHeaders = headersWith([
  ...policy.filter((directive) => !/^(?:script|connect|form|require)/.test(directive)),
  "form-action 'none'",
]);
export const framingHeaders = (origin: string) => headersWith([...policy, `frame-src ${origin}`]);

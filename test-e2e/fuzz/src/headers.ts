import type { Access } from '@tds/http-api';
import fc from 'fast-check';
import { CANARY } from './request.ts';

type Header = readonly [string, string];
type Headers = fc.Arbitrary<readonly Header[]>;

/** Well formed by prefix and length, and its checksum is another's. */
const WRONG_CHECKSUM = `svc_live_${'A'.repeat(49)}`;

const keys: readonly (readonly Header[])[] = [
  [],
  [['Authorization', 'Bearer']],
  [['Authorization', 'Bearer ']],
  [['Authorization', `Bearer ${CANARY}`]],
  [['Authorization', `Bearer ${WRONG_CHECKSUM}`]],
  [['Authorization', 'Bearer {{key}}x']],
  [['Authorization', 'Bearer {{unknownKey}}']],
  [['Authorization', 'Bearer {{revokedKey}}']],
  [['Authorization', 'Basic {{key}}']],
  [['Authorization', '{{key}}']],
  [['Authorization', 'Bearer "{{key}}"']],
  [['Authorization', 'Bearer {{key}}, Bearer {{key}}']],
  [['Authorization', `Bearer ${'x'.repeat(5_000)}`]],
  [['Authorization', 'Bearer \u00ff\u00fe']],
  [
    ['Authorization', 'Bearer {{key}}'],
    ['authorization', 'Bearer {{otherKey}}'],
  ],
  [['X-Api-Key', '{{key}}']],
];

const sessions: readonly (readonly Header[])[] = [
  [['Cookie', 'svc_dashboard=']],
  [['Cookie', `svc_dashboard=${CANARY}`]],
  [['Cookie', 'svc_dashboard={{unknownSession}}']],
  [['Cookie', 'svc_dashboard={{session}}']],
  [['Cookie', 'svc_dashboard={{session}}; svc_dashboard={{otherSession}}']],
  [['Cookie', `${'a=b; '.repeat(800)}svc_dashboard={{session}}`]],
  [['Cookie', '__proto__=1; =; ;;; svc_dashboard="{{session}}"']],
];

const dashboard: readonly (readonly Header[])[] = [
  [],
  [['X-Service-Dashboard', '1']],
  [['X-Service-Dashboard', '0']],
  [['X-Service-Dashboard', 'true']],
  [
    ['X-Service-Dashboard', '1'],
    ['X-Service-Dashboard', '1'],
  ],
];

const signedIn: readonly Header[] = [
  ['Cookie', 'svc_dashboard={{session}}'],
  ['X-Service-Dashboard', '1'],
];
const withKey: readonly Header[] = [['Authorization', 'Bearer {{key}}']];

const fitting: Readonly<Record<Access, readonly (readonly Header[])[]>> = {
  public: [[]],
  anyone: [[], withKey, signedIn],
  key: [withKey],
  session: [signedIn],
  'key-or-session': [withKey, signedIn, signedIn],
};

/** The caller: often one with the right, so that the rest of the request is read too. */
const credentials = (access: Access): Headers => {
  const anyKey = fc.constantFrom(...keys);
  const anySession = fc.constantFrom(...sessions);
  const two = (one: Headers, other: Headers) => fc.tuple(one, other).map((each) => each.flat());
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...fitting[access]) },
    { weight: 1, arbitrary: fc.constantFrom(withKey, signedIn) },
    { weight: 3, arbitrary: anyKey },
    { weight: 1, arbitrary: two(anySession, fc.constantFrom(...dashboard)) },
    { weight: 1, arbitrary: two(anyKey, anySession) },
  );
};

const odd: readonly Header[] = [
  ['X-Request-Id', CANARY],
  ['X-Request-Id', 'a'.repeat(4_000)],
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-Forwarded-For', `${'1.2.3.4, '.repeat(300)}::1`],
  ['X-Forwarded-For', "'; --"],
  ['Forwarded', 'for="[::1]";proto=https;by=_x'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-Proto', 'gopher'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Original-URL', '/v1/keys'],
  ['Origin', 'https://evil.example'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Access-Control-Request-Method', 'DELETE'],
  ['User-Agent', CANARY],
  ['User-Agent', '#{jndi:ldap://x/a}'],
  ['Accept', 'text/html'],
  ['Accept-Encoding', 'br;q=1, *;q=0'],
  ['Range', 'bytes=0-0,-1'],
  ['If-None-Match', '*'],
  ['If-Modified-Since', 'yesterday'],
  ['Expect', 'banana'],
  ['Upgrade', 'websocket'],
  ['traceparent', `00-${'f'.repeat(32)}-${'0'.repeat(16)}-zz`],
  ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  ['tracestate', 'x='.repeat(300)],
  ['baggage', `secret=${CANARY}`],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['Idempotency-Key', CANARY],
  ['Content-Encoding', 'br'],
  ['Content-Encoding', 'gzip, identity'],
  ['Cookie', `other=${CANARY}`],
];

const types = [
  ...['application/json; charset=utf-8', 'application/json; charset=utf-16', 'text/plain', 'application/xml'],
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=',
    '',
    'application/json, text/plain',
    '*/*',
  ],
];

const hosts = [
  '{{host}}',
  '{{host}}',
  '{{host}}',
  '{{host}}',
  'evil.example',
  '',
  'a b',
  `${'h'.repeat(300)}:99999999`,
];

const type: Headers = fc
  .oneof(
    { weight: 4, arbitrary: fc.constant('application/json') },
    { weight: 1, arbitrary: fc.constantFrom(...types) },
  )
  .map((value) => [['Content-Type', value]]);

/** Every header but those that frame the body. */
export const arbitraryHeaders = (access: Access, hasBody: boolean): Headers =>
  fc
    .tuple(
      fc.constantFrom(...hosts).map((host): readonly Header[] => [['Host', host]]),
      credentials(access),
      hasBody ? type : fc.constant<readonly Header[]>([]),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant<readonly Header[]>([]) },
        { weight: 2, arbitrary: fc.subarray([...odd], { maxLength: 4 }) },
      ),
    )
    .map((parts) => parts.flat());

import { apiKeyPattern } from '@tds/contracts';
import { errorClasses, errorCodeDefinition, isErrorCode } from '@tds/errors';
import { errorEnvelope, pathPattern, routes, routeTable } from '@tds/http-api';
import type { WireAnswer } from './answer.ts';
import { CANARY, type FuzzRequest } from './request.ts';

/** Checks what an answer must say, and returns one sentence per breach. */
type Rule = (answer: WireAnswer, request: FuzzRequest) => string | null;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const innards =
  /\n\s+at |node:internal|node_modules|\/src\/|\.ts:\d|Prisma|Postgres|SELECT |ECONNREFUSED|ZodError|TypeError|NATS|Redis/;
const banners = ['x-powered-by', 'server', 'etag', 'x-injected'];
/** Readers of feeds ask whether it has changed. */
const feeds = [routes.changesFeed.path, routes.readFeed.path].map(pathPattern);
const publicPages: readonly string[] = ['/', '/docs', '/docs/errors', '/v1/openapi.json'];

const chargedRoutes: readonly string[] = [routes.getTranscript.id, routes.searchPage.id];

const isPage = ({ target }: FuzzRequest): boolean => publicPages.includes(target.split('?', 1)[0] ?? '');

const addressOf = (target: string): string => target.replace(/^https?:\/\/[^/]+/, '').split('?', 1)[0] ?? '';

/** What a browser reads that asks for a page that does not exist. Below /v1/ answers are JSON, for everybody. */
const isMissingPage = ({ status, headers }: WireAnswer, request: FuzzRequest): boolean =>
  status === 404 &&
  headers['content-type'] === 'text/html; charset=utf-8' &&
  request.headers.some(([name, value]) => /^accept$/i.test(name) && value.includes('text/html')) &&
  !addressOf(request.target).startsWith('/v1/');

const isRefusal = ({ status }: WireAnswer): boolean => status >= 400;
const strictEnvelope = errorEnvelope.strict();

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON, which the rule about the envelope says
  }
};

const everyAnswer: readonly Rule[] = [
  ({ status }) => (status >= 500 || status < 200 ? `status ${status}` : null),
  ({ headers }) => (uuid.test(headers['x-request-id'] ?? '') ? null : 'no X-Request-Id of our own'),
  ({ headers }) => (headers['cache-control'] ? null : 'no Cache-Control'),
  ({ headers }) => (headers['x-content-type-options'] === 'nosniff' ? null : 'no nosniff'),
  ({ headers }, { target }) =>
    banners
      .filter((name) => name !== 'etag' || !feeds.some((feed) => feed.test(addressOf(target))))
      .find((name) => name in headers)
      ?.replace(/^/, 'the header ') ?? null,
  ({ headers }) => ('access-control-allow-credentials' in headers ? 'open to other sites with cookies' : null),
  ({ headers }, { route }) => {
    const charged = headers['x-credits-charged'] ?? '0';
    return charged === '0' || (charged === '1' && chargedRoutes.includes(route)) ? null : `charged ${charged}`;
  },
];

const everyRefusal: readonly Rule[] = [
  ({ headers }) => ((headers['x-credits-charged'] ?? '0') === '0' ? null : 'a refusal that costs'),
  ({ headers }) => (headers['cache-control'] === 'no-store' ? null : 'a refusal that caches keep'),
  ({ headers, status }) => {
    const cookie = headers['set-cookie'];
    const clears = status === 401 && cookie?.startsWith('svc_dashboard=; Max-Age=0;');
    return cookie === undefined || clears ? null : 'a refusal that sets a cookie';
  },
  ({ body, headers }) => {
    const text = body + JSON.stringify(headers);
    if (text.includes(CANARY)) return 'what was sent is shown again';
    if (apiKeyPattern.test(text)) return 'a key is shown';
    return innards.test(text) ? 'innards are shown' : null;
  },
];

const sameAsHeader = (value: unknown, header: string | undefined): boolean =>
  value === undefined ? header === undefined : String(value) === header;

const envelopeRules = (answer: WireAnswer): string | null => {
  if (answer.headers['content-type'] !== 'application/json; charset=utf-8') return 'no JSON';
  const parsed = strictEnvelope.safeParse(parse(answer.body));
  if (!parsed.success) return 'no envelope';
  const { code, errorClass, request_id, docs_url, retry_after, allow } = parsed.data;
  if (request_id !== answer.headers['x-request-id']) return 'request_id is not X-Request-Id';
  if (!isErrorCode(code)) return `the unknown code ${code}`;
  const definition = errorCodeDefinition(code);
  const classes: readonly string[] = [definition.errorClass, ...definition.alsoIn];
  if (!classes.includes(errorClass)) return `${code} in class ${errorClass}`;
  const isDefault = errorClass === definition.errorClass;
  const status = isDefault ? definition.status : errorClasses[errorClass as keyof typeof errorClasses].status;
  if (answer.status !== status) return `${code} with status ${answer.status}`;
  if (!docs_url.endsWith(`/docs/errors#${errorClass}`)) return `docs_url ${docs_url}`;
  if (!sameAsHeader(retry_after, answer.headers['retry-after'])) return 'retry_after is not Retry-After';
  if (answer.status === 429 && !(Number(retry_after) > 0)) return 'a throttle that does not say when it clears';
  return sameAsHeader(allow?.join(', '), answer.headers.allow) ? null : 'allow is not Allow';
};

/** Everything that is wrong with an answer; nothing where all is well. */
export const checkAnswer = (answer: WireAnswer, request: FuzzRequest): string[] => {
  const rules = isRefusal(answer) ? [...everyAnswer, ...everyRefusal] : everyAnswer;
  const hasBody = request.method !== 'HEAD' || answer.body !== '';
  const breaches = rules.map((rule) => rule(answer, request));
  if (isRefusal(answer) && hasBody && !isMissingPage(answer, request)) breaches.push(envelopeRules(answer));
  return breaches.filter((breach) => breach !== null);
};

/** By method and address, as a generated request may meet another route than the one that it began with. */
const publicRoutes = routeTable
  .filter(({ access }) => access === 'public')
  .map(({ method, path }) => ({ method, address: pathPattern(path) }));
const isPublic = ({ method, target }: FuzzRequest): boolean =>
  publicRoutes.some(
    (route) => route.method === (method === 'HEAD' ? 'GET' : method) && route.address.test(addressOf(target)),
  );

const goodCredential = /\{\{(key|otherKey|session|otherSession)\}\}/;

/** Finds a request that succeeds without a credential; `request` is as it was generated, with its placeholders. */
export const checkLetIn = ({ status }: WireAnswer, request: FuzzRequest): string[] => {
  if (status >= 300 || request.method === 'OPTIONS') return [];
  if (isPage(request) || isPublic(request)) return [];
  const shown = request.headers.filter(([name]) => /^(authorization|cookie)$/i.test(name));
  return shown.some(([, value]) => goodCredential.test(value)) ? [] : ['let in without a credential'];
};

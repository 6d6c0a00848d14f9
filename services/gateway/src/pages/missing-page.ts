import { serviceError } from '@tds/errors';
import { missingPageHtml } from '@tds/site';
import { type Answer, asCompressible, type GatewayRequest } from '../wire/index.ts';
import { type Pages, pageHeaders } from './page-headers.ts';

const PERMANENT_REDIRECT = 308;
const NOT_FOUND = 404;
const readingMethods: readonly (string | undefined)[] = ['GET', 'HEAD'];

/** What people type, and the page that they mean. */
const aliases: Readonly<Record<string, string>> = {
  '/index.html': '/',
  '/login': '/signin',
  '/signup': '/signin',
  '/pricing': '/docs/credits',
  '/api': '/reference',
};

const isOfApi = (path: string): boolean => path === '/v1' || path.startsWith('/v1/');

/**
 * The answer to an address that no page has: the way to the page that it means, or, to a browser, a page that says so. Undefined for programs
 * and below /v1, which get the envelope.
 */
export const createMissingPage = (pages: Pages): ((request: GatewayRequest) => Answer | undefined) => {
  const paths = new Set(Object.keys(pages).map((path) => path.replace(/\{.*/, '')));
  const failure = serviceError('not_found');
  const page: Answer = asCompressible({
    status: NOT_FOUND,
    contentType: 'text/html; charset=utf-8',
    body: missingPageHtml(),
    headers: pageHeaders,
    failure,
  });
  return ({ method, url, headers }) => {
    const [path = ''] = url.split('?', 1);
    if (!readingMethods.includes(method) || isOfApi(path)) return undefined;
    const plain = path.endsWith('/') ? path.slice(0, -1) : path;
    const target = aliases[plain] ?? plain;
    if (target !== path && paths.has(target)) {
      const location = `${target}${url.slice(path.length)}`;
      return { status: PERMANENT_REDIRECT, headers: [...pageHeaders, 'Location', location], body: '' };
    }
    return headers.accept?.includes('text/html') ? page : undefined;
  };
};

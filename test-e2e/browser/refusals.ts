import type { Page } from '@tds/browser';
import type { ErrorCode } from '@tds/errors';
import { pageWords } from '@tds/site/page-words';

const CODE: ErrorCode = 'service_unavailable';
const REQUEST = 'request-of-the-story';
const anyCall = '**/v1/**';
type Handler = Parameters<Page['route']>[1];

/** What an error must show. */
export const shownOfRefusals: readonly string[] = [CODE, String(pageWords(CODE).what), REQUEST];

/** Refuses the requests for which the predicate holds, as a service that is down does. Resolves to the end of it. */
export const refuse = async (
  page: Page,
  isRefused: (method: string, path: string) => boolean,
): Promise<() => Promise<void>> => {
  const refusal: Handler = (route) => {
    const request = route.request();
    if (!isRefused(request.method(), new URL(request.url()).pathname)) return route.fallback();
    return route.fulfill({
      status: 503,
      json: {
        ...{ ok: false, errorClass: 'UpstreamError', code: CODE, message: 'Down.' },
        ...{ retryable: false, docs_url: '/docs/errors', request_id: REQUEST },
      },
    });
  };
  await page.route(anyCall, refusal);
  return () => page.unroute(anyCall, refusal);
};

/** Leaves the reads for which the predicate holds without an answer, as a service that hangs does. Resolves to the end of it. */
export const hang = async (page: Page, isHeld: (path: string) => boolean): Promise<() => Promise<void>> => {
  const silence: Handler = (route) => {
    const request = route.request();
    const isRead = request.method() === 'GET' && isHeld(new URL(request.url()).pathname);
    return isRead ? undefined : route.fallback();
  };
  await page.route(anyCall, silence);
  return () => page.unroute(anyCall, silence);
};

/** Sends each read once and repeats its answer: a story that opens a view many times stays below the limit of its session. */
export const rememberReads = async (page: Page): Promise<() => Promise<void>> => {
  const answers = new Map<string, { status: number; contentType: string; body: Buffer }>();
  const remember: Handler = async (route) => {
    const request = route.request();
    if (request.method() !== 'GET') return route.fallback();
    const known = answers.get(request.url());
    if (known) return route.fulfill(known);
    const answer = await route.fetch();
    const contentType = answer.headers()['content-type'] ?? '';
    answers.set(request.url(), { status: answer.status(), contentType, body: await answer.body() });
    return route.fulfill({ response: answer });
  };
  await page.route(anyCall, remember);
  return () => page.unroute(anyCall, remember);
};

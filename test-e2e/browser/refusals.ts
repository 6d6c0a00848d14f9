import { expect } from '@jest/globals';
import type { Page, Visitor } from '@tds/browser';
import type { ErrorCode } from '@tds/errors';
import { pageWords } from '@tds/site/page-words';

const CODE: ErrorCode = 'service_unavailable';
const REQUEST = 'request-of-the-story';
const anyCall = '**/v1/**';
type Handler = Parameters<Page['route']>[1];

/** The view says the code, what happened and the request. */
export const expectRefusal = async (page: Page): Promise<void> => {
  const alert = page.getByRole('alert').first();
  await alert.waitFor();
  await alert.getByText('Details', { exact: true }).click();
  const text = await alert.innerText();
  for (const shown of [CODE, String(pageWords(CODE).what), REQUEST]) expect(text).toContain(shown);
};

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

/** Sends each read of any tab once and repeats its answer: a story that opens a view many times stays below the limit of its session. */
export const rememberReads = async ({ context }: Visitor): Promise<() => Promise<void>> => {
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
  await context.route(anyCall, remember);
  return () => context.unroute(anyCall, remember);
};

/** A view that asks for nothing for so long has read what it shows. */
const QUIET_MS = 500;

/** The addresses of the API that a view has read by the time it is quiet. */
export const readBy = async (visitor: Visitor, address: string): Promise<string[]> => {
  // What the page before still reads is not of this view.
  await visitor.page.goto('about:blank');
  visitor.requests.length = 0;
  const account = visitor.page.waitForResponse((answer) => new URL(answer.url()).pathname === '/v1/account');
  await visitor.page.goto(address);
  await account;
  let seen = -1;
  // Some views look again now and then.
  for (let turn = 0; turn < 5 && seen < visitor.requests.length; turn += 1) {
    seen = visitor.requests.length;
    await visitor.page.waitForTimeout(QUIET_MS);
  }
  const called = visitor.requests
    .map((line) => line.split(' '))
    .filter(([method, url = '']) => method === 'GET' && new URL(url).pathname.startsWith('/v1/'))
    .map(([, url = '']) => new URL(url).pathname);
  return [...new Set(called)].filter((called) => !called.endsWith('/events'));
};

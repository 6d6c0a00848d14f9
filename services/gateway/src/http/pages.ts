import { errorsReferenceHtml, openApiDocument } from '@tds/api-docs';
import { routeTable } from '@tds/contracts';
import type { GatewayConfig } from '../config.ts';
import { memoize } from '../memoize.ts';
import type { KnownStatus } from '../status/known-status.ts';
import { statusPageHtml } from '../status/status-page.ts';
import type { StatusWatch } from '../status/watch-status.ts';
import { type Answer, JSON_TYPE } from './answer.ts';
import { changesPageHtml } from './changes-page.ts';
import { paidPageHtml } from './checkout-pages.ts';
import { compressible } from './compression.ts';
import { startPageHtml } from './start-page.ts';

const OK = 200;

/** These hold nothing of anybody, so any site may read them; routes that take a credential never say so. */
export const openToAnySite: readonly string[] = ['Access-Control-Allow-Origin', '*'];

const CACHED = 'public, max-age=300';

const document = (contentType: string, body: string, headers: readonly string[] = []): Answer =>
  compressible({
    status: OK,
    contentType,
    body,
    cacheControl: CACHED,
    headers: [...openToAnySite, ...headers],
  });

const html = (body: string): Answer =>
  document('text/html; charset=utf-8', body, [
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'",
  ]);

/** Written once for each round of looking. */
const statusPage = memoize((known: KnownStatus): Answer => {
  const { cacheControl: _, ...page } = html(statusPageHtml(known));
  return page;
});

/** What is served beside the table, the same for everybody; all but the status is composed once. */
export const createPages = (
  { publicUrl, supportEmail }: Pick<GatewayConfig, 'publicUrl' | 'supportEmail'>,
  status: StatusWatch,
): Readonly<Record<string, () => Answer>> => {
  const start = html(startPageHtml(routeTable, publicUrl));
  const pages = {
    '/': start,
    '/docs': start,
    '/docs/errors': html(errorsReferenceHtml()),
    '/docs/changes': html(changesPageHtml()),
    '/checkout/success': html(paidPageHtml()),
    '/v1/openapi.json': document(
      JSON_TYPE,
      JSON.stringify(openApiDocument(routeTable, publicUrl, supportEmail)),
    ),
  };
  return {
    ...Object.fromEntries(Object.entries(pages).map(([path, answer]) => [path, () => answer])),
    '/status': () => statusPage(status.known()),
  };
};

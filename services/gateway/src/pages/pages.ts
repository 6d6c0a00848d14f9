import {
  changesHtml,
  errorsReferenceHtml,
  htmlPage,
  openApiDocument,
  routes,
  routeTable,
} from '@tds/http-api';
import type { KnownStatus, StatusWatch } from '../background/status-watch.ts';
import type { GatewayConfig } from '../config.ts';
import { type Answer, JSON_TYPE } from '../http/answer.ts';
import { compressible } from '../http/compression.ts';
import { memoize } from '../memoize.ts';
import { startPageHtml } from './start-page.ts';
import { statusPageHtml } from './status-page.ts';

const FEED = `<link rel="alternate" type="application/atom+xml" href="${routes.changesFeed.path}">`;

const changesPageHtml = (): string =>
  htmlPage(
    'Changes of the API',
    `<p>Also as <a href="${routes.listChanges.path}">JSON</a> and as an <a href="${routes.changesFeed.path}">Atom feed</a>.</p>
${changesHtml()}`,
    FEED,
  );

/** The payment processor redirects buyers to these two pages. */
const paidPageHtml = (): string =>
  htmlPage(
    'Thank you',
    `<p>Your payment is on its way to us. The credits are in your account within seconds; a job that had to wait for them goes on by
itself.</p>
<p>You bought with an email address? Its owner signs in to it with a code (<code>POST /v1/auth/code</code>, then
<code>POST /v1/auth/verify</code>), finds the purchase in <code>GET /v1/billing/purchases</code>, and accepts it with
<code>POST /v1/billing/purchases/{purchase_id}/accept</code>. If it is not accepted within 90 days, the money goes back.</p>
<p>An untouched block can be given back: <code>POST /v1/checkout?action=refund</code>. <code>GET /v1/billing/purchases</code> lists what
you have bought.</p>`,
  );

export const cancelledPageHtml = (isClosed: boolean): string =>
  isClosed
    ? htmlPage(
        'Nothing was paid',
        `<p>You left the page without paying. It is closed, and nothing was charged: <code>POST /v1/checkout</code> opens another
one.</p>`,
      )
    : htmlPage(
        'This page is not open',
        `<p>There is no open page to close here: it is unknown, or paid. <code>GET /v1/billing/purchases</code> shows what you have
bought.</p>`,
      );

const OK = 200;

/** Pages contain no customer data, so any site may read them. Routes with credentials never send this. */
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

/** Rendered once per status round. */
const statusPage = memoize((known: KnownStatus): Answer => {
  const { cacheControl: _, ...page } = html(statusPageHtml(known));
  return page;
});

/** Pages beside the route table, the same for all callers. All but the status page are rendered once. */
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

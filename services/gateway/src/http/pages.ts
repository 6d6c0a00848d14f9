import { errorsReferenceHtml, openApiDocument } from '@tds/api-docs';
import { routeTable } from '@tds/contracts';
import { type Answer, JSON_TYPE } from './answer.ts';
import { cancelledPageHtml, paidPageHtml } from './checkout-pages.ts';
import { compressible } from './compression.ts';
import { startPageHtml } from './start-page.ts';

const OK = 200;

/** These hold nothing of anybody, so any site may read them; routes that take a credential never say so. */
export const openToAnySite: readonly string[] = ['Access-Control-Allow-Origin', '*'];

const document = (contentType: string, body: string, headers: readonly string[] = []): Answer =>
  compressible({
    status: OK,
    contentType,
    body,
    cacheControl: 'public, max-age=300',
    headers: [...openToAnySite, ...headers],
  });

const html = (body: string): Answer =>
  document('text/html; charset=utf-8', body, [
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'",
  ]);

/** What is served beside the table: composed once, the same for everybody. */
export const createPages = (publicUrl: string): Readonly<Record<string, Answer>> => {
  const start = html(startPageHtml(routeTable, publicUrl));
  return {
    '/': start,
    '/docs': start,
    '/docs/errors': html(errorsReferenceHtml()),
    '/checkout/success': html(paidPageHtml()),
    '/checkout/cancelled': html(cancelledPageHtml()),
    '/v1/openapi.json': document(JSON_TYPE, JSON.stringify(openApiDocument(routeTable, publicUrl))),
  };
};

import { errorsReferenceHtml, openApiDocument, routes } from '@tds/contracts';
import { type Answer, JSON_TYPE } from './answer.ts';
import { compressible } from './compression.ts';

const OK = 200;
const FIVE_MINUTES = 'public, max-age=300';

/** What is served beside the table: composed once, the same for everybody. */
export const createPages = (publicUrl: string): Readonly<Record<string, Answer>> => ({
  '/v1/openapi.json': compressible({
    status: OK,
    contentType: JSON_TYPE,
    body: JSON.stringify(openApiDocument(routes, publicUrl)),
    cacheControl: FIVE_MINUTES,
  }),
  '/docs/errors': compressible({
    status: OK,
    contentType: 'text/html; charset=utf-8',
    body: errorsReferenceHtml(),
    cacheControl: FIVE_MINUTES,
    headers: ['Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'"],
  }),
});

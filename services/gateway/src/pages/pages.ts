import { accessScope } from '@tds/contracts';
import { openApiDocument, routeTable } from '@tds/http-api';
import {
  type Asset,
  assets,
  createSite,
  type readBuiltSite,
  type SitePage,
  statusPageHtml,
  webhookVectors,
} from '@tds/site';
import type { GatewayConfig } from '../config.ts';
import { memoize } from '../domain/memoize.ts';
import { discoveryDocuments } from '../oauth/index.ts';
import { type KnownStatus, type StatusWatch, toStatusBody } from '../status/index.ts';
import { type Answer, asCompressible, asLasting, JSON_TYPE, sessionCookie } from '../wire/index.ts';
import { framingHeaders, openToAnySite, type Pages, pageHeaders } from './page-headers.ts';

const OK = 200;
const SEE_OTHER = 303;
const TEXT_TYPE = 'text/plain; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** Browsers ask again each time, so a page never names assets that are gone. */
const PAGE = 'no-cache';
const DOCUMENT = 'public, max-age=300';
export const FOR_EVER = 'public, max-age=31536000, immutable';

const file = (
  contentType: string,
  body: Buffer | string,
  cacheControl: string,
): Answer & { body: typeof body } => ({
  status: OK,
  contentType,
  body,
  cacheControl,
  headers: [...openToAnySite, ...pageHeaders],
});

const ROBOTS =
  'User-agent: *\nAllow: /v1/openapi.json\nAllow: /v1/changes\nDisallow: /v1/\nDisallow: /dashboard\n';

const HTML_TYPE = 'text/html; charset=utf-8';
const html = (body: string) => file(HTML_TYPE, body, PAGE);

export const serveAs =
  (cacheControl: string) =>
  ({ path, contentType, body, isText }: Asset): readonly [string, Answer] => {
    const answer = file(contentType, body, cacheControl);
    return [path, isText ? asLasting(answer) : answer];
  };

const htmlOf = memoize(({ render }: SitePage) => asLasting(html(render().html)));
const markdownOf = memoize(({ render }: SitePage) => asLasting(file(MARKDOWN_TYPE, render().markdown, PAGE)));

/** Rendered once per status round. */
const statusPage = memoize((snapshot: KnownStatus): Answer => {
  const { cacheControl: _, ...page } = html(statusPageHtml(toStatusBody(snapshot), snapshot.history));
  return asCompressible(page);
});

/**
 * Every view of the dashboard. It is never stored, so a browser shows no account after a sign-out. Without a cookie it
 * leads to the sign-in page, which leads back; whether a cookie is still a session, the API answers.
 */
const dashboardPages = (body: string, player: string): Pages => {
  const headers = framingHeaders(player);
  const page: Answer = asCompressible({ status: OK, contentType: HTML_TYPE, body, headers });
  const signIn = (address: string): Answer => {
    const location = `/signin?to=${encodeURIComponent(address)}`;
    return { status: SEE_OTHER, headers: [...pageHeaders, 'Location', location] };
  };
  return {
    // An app leads here from its own site, and then browsers send no cookie with the page: its requests tell whether there is a session.
    '/dashboard/connect': () => page,
    // A mail leads here, perhaps to a browser that was never here.
    '/dashboard/join': () => page,
    '/dashboard{/*view}': ({ headers, url }) =>
      sessionCookie.read(headers.cookie).kind === 'none' ? signIn(url) : page,
  };
};

/**
 * Pages beside the route table, the same for all callers. All but the status page are rendered and compressed once,
 * for their first reader.
 */
export const createPages = (
  settings: Pick<GatewayConfig, 'publicUrl' | 'supportEmail' | 'exampleVideo' | 'player'>,
  status: StatusWatch,
  build?: ReturnType<typeof readBuiltSite>,
): Pages => {
  const { publicUrl, supportEmail, exampleVideo, player } = settings;
  const downloads = build?.downloads ?? [];
  const downloadAt = (address: string): string =>
    downloads.find(({ newest }) => newest === address)?.path ?? address;
  const site = createSite({ publicUrl, supportEmail, exampleVideo, downloadAt });
  const description = memoize(() =>
    asLasting(file(JSON_TYPE, JSON.stringify(openApiDocument(routeTable, publicUrl, supportEmail)), DOCUMENT)),
  );
  const files: readonly (readonly [string, Answer])[] = [
    ...[...Object.values(assets), ...(build?.files ?? []), ...downloads].map(serveAs(FOR_EVER)),
    ...downloads.map(({ newest, ...download }) => serveAs(DOCUMENT)({ ...download, path: newest })),
    serveAs(DOCUMENT)({ ...assets.icon, path: '/favicon.ico' }),
    ['/robots.txt', file(TEXT_TYPE, ROBOTS, DOCUMENT)],
    ['/llms.txt', asLasting(file(TEXT_TYPE, site.llms, PAGE))],
    ['/docs/webhook-vectors.json', asLasting(file(JSON_TYPE, webhookVectors(), DOCUMENT))],
    ...discoveryDocuments(publicUrl, accessScope.options).map(
      ([path, document]) => [path, file(JSON_TYPE, JSON.stringify(document), DOCUMENT)] as const,
    ),
  ];
  return {
    ...Object.fromEntries(files.map(([path, answer]) => [path, () => answer])),
    ...Object.fromEntries(site.pages.map((page) => [page.path, () => htmlOf(page)])),
    ...Object.fromEntries(site.pages.map((page) => [page.twin, () => markdownOf(page)])),
    '/v1/openapi.json': () => description(site),
    '/status': () => statusPage(status.current()),
    ...(build && dashboardPages(build.html(player), player)),
  };
};

import { serviceError } from '@tds/errors';
import { methodsByPath, type Route } from '@tds/http-api';
import express, { type Express, type NextFunction } from 'express';
import { oauthRoutes } from '../oauth/index.ts';
import { createMissingPage, type Pages } from '../pages/index.ts';
import type { Answer, GatewayRequest, GatewayResponse } from '../wire/index.ts';
import { isOpenToSites, preflightHeaders } from './cross-origin.ts';
import type { Finish } from './finish.ts';
import type { ServedRow } from './serve-route.ts';

const NO_CONTENT = 204;

const pageMethods = ['GET', 'HEAD', 'OPTIONS'];
/** Clients of the Model Context Protocol send its header with the request for a document, too. */
const pagePreflight = preflightHeaders(pageMethods);

export type Middleware = (request: GatewayRequest, response: GatewayResponse) => void;

/** Answers methods that a known path does not serve: OPTIONS with 204, others with 405. */
const refuseMethod = (
  { finish, fail }: Finish,
  allow: readonly string[],
  preflight: readonly string[] = [],
): Middleware => {
  const optionsAnswer = { status: NO_CONTENT, headers: ['Allow', allow.join(', '), ...preflight] };
  return (request, response) => {
    response.locals.exchange.isOpen = preflight.length > 0;
    return request.method === 'OPTIONS'
      ? finish(request, response, optionsAnswer)
      : fail(request, response, serviceError('method_not_allowed', { extras: { allow } }));
  };
};

const expressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');
const methodName = ({ method }: Route) => method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';

const addTable = (app: Express, table: readonly ServedRow[], finish: Finish): void => {
  for (const { row, serve } of table) app[methodName(row)](expressPath(row.path), serve);
  const rows = table.map(({ row }) => row);
  const openMethods = new Map(methodsByPath(rows.filter(isOpenToSites)));
  for (const [path, allow] of methodsByPath(rows)) {
    const methods = openMethods.get(path);
    const preflight = methods && preflightHeaders(methods);
    app.all(expressPath(path), refuseMethod(finish, allow, preflight));
  }
};

const addPages = (app: Express, pages: Pages, finish: Finish): void => {
  for (const [path, page] of Object.entries(pages)) {
    const show: Middleware = (request, response) => finish.finish(request, response, page(request));
    app.get(path, show).all(path, refuseMethod(finish, pageMethods, pagePreflight));
  }
};

/** Packages of earlier releases; those of this one are pages. */
const addKeptDownloads = (app: Express, { readDownload, ...finish }: AppDeps): void => {
  const path = '/downloads/:name';
  app.get(path, async (request: GatewayRequest & { params: { name: string } }, response: GatewayResponse) =>
    finish.finish(request, response, await readDownload(request.params.name)),
  );
  app.all(path, refuseMethod(finish, pageMethods, pagePreflight));
};

const registrationPreflight = preflightHeaders(['POST']);

/** Addresses of the authorization server. */
const addOauth = (app: Express, { oauth, ...finish }: AppDeps): void => {
  const { registration } = oauthRoutes;
  app.options(registration, refuseMethod(finish, ['POST', 'OPTIONS'], registrationPreflight));
  for (const path of [...Object.values(oauthRoutes), `${oauthRoutes.authorization}/:uid`]) app.all(path, oauth);
};

type AppDeps = Finish & {
  readonly readDownload: (name: string) => Promise<Answer>;
  readonly oauth: Middleware;
};

/** All routes and pages as an Express app. Requests arrive through the front door. */
export const createApp = (table: readonly ServedRow[], pages: Pages, finish: AppDeps): Express => {
  const { fail } = finish;
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.enable('case sensitive routing').enable('strict routing');
  app.set('query parser', false);
  addTable(app, table, finish);
  addPages(app, pages, finish);
  addKeptDownloads(app, finish);
  addOauth(app, finish);
  const missingPage = createMissingPage(pages);
  const notFound: Middleware = (request, response) => {
    const answer = missingPage(request);
    if (answer) finish.finish(request, response, answer);
    else fail(request, response, serviceError('not_found'));
  };
  app.use(notFound);
  // Express recognizes error handlers by their four parameters.
  app.use((thrown: unknown, request: GatewayRequest, response: GatewayResponse, _next: NextFunction) =>
    fail(request, response, thrown),
  );
  return app;
};

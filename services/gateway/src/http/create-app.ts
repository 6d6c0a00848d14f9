import { methodsByPath, type Route, routeTable, serviceError } from '@tds/contracts';
import express, { type Express, type NextFunction } from 'express';
import type { RouteHandler, RouteHandlers } from '../routes/route-handler.ts';
import { type GatewayRequest, type GatewayResponse, openExchange } from './exchange.ts';
import type { Finish } from './finish.ts';
import { createPages } from './pages.ts';
import { createQueryReader } from './query-strings.ts';
import { type ServeParts, serveRoute } from './serve-route.ts';

const NO_CONTENT = 204;

export type AppParts = Omit<ServeParts, keyof Finish> &
  Finish & {
    readonly handlers: RouteHandlers;
    readonly publicUrl: string;
    readonly trustedProxies: readonly string[];
  };

type Middleware = (request: GatewayRequest, response: GatewayResponse, next: NextFunction) => void;

/** First for every request, known path or not: the request id, and no key in the URL. */
const open = ({ fail }: Finish): Middleware => {
  const readQuery = createQueryReader();
  return (request, response, next) => {
    const exchange = openExchange();
    response.locals.exchange = exchange;
    try {
      const query = readQuery(request.url);
      if (query !== null) exchange.query = query;
    } catch (thrown) {
      return fail(request, response, thrown);
    }
    next();
  };
};

/** What a known path says to methods that it has no handler for. */
const refuseMethod = ({ finish, fail }: Finish, allow: readonly string[]): Middleware => {
  const allowed = { status: NO_CONTENT, headers: ['Allow', allow.join(', ')] };
  return (request, response) =>
    request.method === 'OPTIONS'
      ? finish(request, response, allowed)
      : fail(request, response, serviceError('method_not_allowed', { extras: { allow } }));
};

const expressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');
const methodName = ({ method }: Route) => method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';

/** The most used route stands first: Express tries them in order. */
const hottestFirst = (rows: readonly Route[]): Route[] =>
  [...rows].sort((one, other) => Number(other.id === 'getTranscript') - Number(one.id === 'getTranscript'));

const addTable = (app: Express, parts: AppParts): void => {
  const handlers = parts.handlers as unknown as Readonly<Record<string, RouteHandler>>;
  for (const row of hottestFirst(routeTable)) {
    app[methodName(row)](
      expressPath(row.path),
      serveRoute(row, handlers[row.id] as RouteHandler, parts) as never,
    );
  }
  for (const [path, allow] of methodsByPath(routeTable)) {
    app.all(expressPath(path), refuseMethod(parts, allow) as never);
  }
};

const addPages = (app: Express, parts: AppParts): void => {
  for (const [path, answer] of Object.entries(createPages(parts.publicUrl))) {
    const show: Middleware = (request, response) => parts.finish(request, response, answer);
    app.get(path, show as never).all(path, refuseMethod(parts, ['GET', 'HEAD', 'OPTIONS']) as never);
  }
};

/** The whole HTTP surface, derived from the table of the contracts. */
export const createApp = (parts: AppParts): Express => {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.enable('case sensitive routing').enable('strict routing');
  app.set('query parser', false);
  app.set('trust proxy', parts.trustedProxies.length > 0 ? [...parts.trustedProxies] : false);
  app.use(open(parts) as never);
  addTable(app, parts);
  addPages(app, parts);
  app.use(((request, response) =>
    parts.fail(request, response, serviceError('not_found'))) as Middleware as never);
  // Express knows error handlers by their four parameters.
  app.use(((thrown: unknown, request: GatewayRequest, response: GatewayResponse, _next: NextFunction) =>
    parts.fail(request, response, thrown)) as never);
  return app;
};

import { type Route, routeTable } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import type { RouteHandler, RouteHandlers } from '../routes/route-handler.ts';
import { type ServedRoute, type ServeParts, serveRoute } from './serve-route.ts';

export type ServedRow = { readonly row: Route; readonly serve: ServedRoute };

/** Every row of the table with its handler. */
export const serveTable = (handlers: RouteHandlers, deps: Deps, parts: ServeParts): readonly ServedRow[] => {
  const byId = handlers as unknown as Readonly<Record<string, RouteHandler>>;
  return routeTable.map((row) => ({ row, serve: serveRoute(byId[row.id] as RouteHandler, deps, parts) }));
};

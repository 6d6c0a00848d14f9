import type { Route } from '../define-route.ts';
import { accountRoutes } from './account-routes.ts';
import { assistantRoutes } from './assistant-routes.ts';
import { authRoutes, sessionRoutes } from './auth-routes.ts';
import { billingRoutes } from './billing-routes.ts';
import { connectionRoutes } from './connection-routes.ts';
import { feedRoutes } from './feed-routes.ts';
import { findingRoutes } from './finding-routes.ts';
import { jobArchiveRoutes } from './job-archive-routes.ts';
import { jobFileRoutes } from './job-file-routes.ts';
import { jobRoutes } from './job-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { libraryRoutes } from './library-routes.ts';
import { linkRoutes } from './link-routes.ts';
import { monitorRoutes } from './monitor-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { receiverRoutes } from './receiver-routes.ts';
import { refillRoutes } from './refill-routes.ts';
import { requestRoutes } from './request-routes.ts';
import { statusRoutes } from './status-routes.ts';
import { transcriptRoutes } from './transcript-routes.ts';
import { usageRoutes } from './usage-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

export { accountBody } from './account-routes.ts';
export { archiveIndexBody, archiveQueuedBody } from './job-archive-routes.ts';
export { jobFilePassages, jobProgress, manifestBody } from './job-file-routes.ts';
export { changesBody, type StatusBody } from './status-routes.ts';
export { pendingBody, transcriptBody } from './transcript-routes.ts';
export { DEFAULT_LEDGER_ROWS, usageLedgerBody, usageRollupsBody } from './usage-routes.ts';

/** The public HTTP surface by name. A name is the operationId that customers generate clients from, so it never changes. */
export const routes = {
  ...transcriptRoutes,
  ...libraryRoutes,
  ...linkRoutes,
  ...findingRoutes,
  ...jobRoutes,
  ...jobArchiveRoutes,
  ...jobFileRoutes,
  ...monitorRoutes,
  ...feedRoutes,
  ...webhookRoutes,
  ...receiverRoutes,
  ...assistantRoutes,
  ...authRoutes,
  ...sessionRoutes,
  ...keyRoutes,
  ...connectionRoutes,
  ...accountRoutes,
  ...peopleRoutes,
  ...usageRoutes,
  ...requestRoutes,
  ...billingRoutes,
  ...refillRoutes,
  ...statusRoutes,
};

/** The same rows as a table: validation, 405, OPTIONS, OpenAPI and the tests are derived from it. */
export const routeTable: readonly Route[] = Object.values(routes);

/** A command that some route calls. */
type RouteCommand = (typeof routes)[keyof typeof routes]['calls'][number];

/** Every command that some route calls, once. */
export const routeCommands: readonly RouteCommand[] = [
  ...new Set(Object.values(routes).flatMap<RouteCommand>(({ calls }) => calls)),
];

/** Matches the paths of a route, such as `/v1/jobs/{id}`, without their query. */
export const pathPattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** The methods that a path supports, for 405 and OPTIONS. */
export const methodsByPath = (table: readonly Route[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(Object.groupBy(table, ({ path }) => path)).map(([path, rows]) => [
      path,
      listAllowedMethods(rows ?? []),
    ]),
  );

const listAllowedMethods = (rows: readonly Route[]): readonly string[] => {
  const methods = rows.map(({ method }) => method);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
};

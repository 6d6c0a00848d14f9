import { accountRoutes } from './account-routes.ts';
import { authRoutes } from './auth-routes.ts';
import { billingRoutes } from './billing-routes.ts';
import { findingRoutes } from './finding-routes.ts';
import { getUsage } from './get-usage.ts';
import { jobFileRoutes } from './job-file-routes.ts';
import { jobRoutes } from './job-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { monitorRoutes } from './monitor-routes.ts';
import type { RouteHandlers } from './route-handler.ts';
import { sessionRoutes } from './session-routes.ts';
import { statusRoutes } from './status-routes.ts';
import { transcriptRoutes } from './transcript-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

/** What answers each row of the table. The groups are those of the contracts. */
export const routeHandlers: RouteHandlers = {
  ...authRoutes,
  ...sessionRoutes,
  ...keyRoutes,
  ...accountRoutes,
  getUsage,
  ...billingRoutes,
  ...transcriptRoutes,
  ...findingRoutes,
  ...jobRoutes,
  ...jobFileRoutes,
  ...monitorRoutes,
  ...webhookRoutes,
  ...statusRoutes,
};

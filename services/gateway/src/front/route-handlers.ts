import { type AssistantDeps, sendMcpMessage } from '../assistant/index.ts';
import {
  accountRoutes,
  authRoutes,
  billingRoutes,
  connectionRoutes,
  getUsage,
  keyRoutes,
  listRequests,
  mailRoutes,
  receiverRoutes,
  webhookRoutes,
} from '../routes/account/index.ts';
import {
  feedRoutes,
  getJobArchive,
  getJobDocument,
  jobFileRoutes,
  jobRoutes,
  monitorRoutes,
  streamJob,
} from '../routes/jobs/index.ts';
import { linkRoutes } from '../routes/links/index.ts';
import type { RouteHandlers } from '../routes/serve/index.ts';
import { statusRoutes } from '../routes/status/index.ts';
import { findingRoutes, transcriptRoutes } from '../routes/transcripts/index.ts';

/** In the groups of the contracts. A row that is missing here calls its command. */
export const routeHandlers: RouteHandlers<AssistantDeps> = {
  ...authRoutes,
  ...keyRoutes,
  ...connectionRoutes,
  ...accountRoutes,
  ...mailRoutes,
  getUsage,
  listRequests,
  ...billingRoutes,
  ...transcriptRoutes,
  ...findingRoutes,
  sendMcpMessage,
  ...jobRoutes,
  ...jobFileRoutes,
  getJobArchive,
  getJobDocument,
  streamJob,
  ...monitorRoutes,
  ...feedRoutes,
  ...linkRoutes,
  ...webhookRoutes,
  ...receiverRoutes,
  ...statusRoutes,
};

import { sendMcpMessage } from '../assistant/assistant.ts';
import { accountRoutes } from './account.ts';
import { authRoutes } from './auth.ts';
import { billingRoutes } from './billing.ts';
import type { RouteHandlers } from './call-route.ts';
import { connectionRoutes } from './connections.ts';
import { findingRoutes } from './finding.ts';
import { getJobArchive } from './job-archive.ts';
import { jobFileRoutes } from './job-files.ts';
import { jobRoutes } from './jobs.ts';
import { keyRoutes } from './keys.ts';
import { monitorRoutes } from './monitors.ts';
import { listRequests } from './requests.ts';
import { statusRoutes } from './status.ts';
import { streamJob } from './stream-job.ts';
import { transcriptRoutes } from './transcripts.ts';
import { getUsage } from './usage.ts';
import { webhookRoutes } from './webhooks.ts';

/** In the groups of the contracts. A row that is missing here calls its command. */
export const routeHandlers: RouteHandlers = {
  ...authRoutes,
  ...keyRoutes,
  ...connectionRoutes,
  ...accountRoutes,
  getUsage,
  listRequests,
  ...billingRoutes,
  ...transcriptRoutes,
  ...findingRoutes,
  sendMcpMessage,
  ...jobRoutes,
  ...jobFileRoutes,
  getJobArchive,
  streamJob,
  ...monitorRoutes,
  ...webhookRoutes,
  ...statusRoutes,
};

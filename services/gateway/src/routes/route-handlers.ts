import { sendMcpMessage } from '../assistant/assistant.ts';
import { accountRoutes } from './account/account.ts';
import { authRoutes } from './account/auth.ts';
import { billingRoutes } from './account/billing.ts';
import { connectionRoutes } from './account/connections.ts';
import { keyRoutes } from './account/keys.ts';
import * as mailRoutes from './account/mail.ts';
import { listRequests } from './account/requests.ts';
import { getUsage } from './account/usage.ts';
import type { RouteHandlers } from './call-route.ts';
import { getJobArchive, getJobDocument } from './jobs/job-archive.ts';
import { jobFileRoutes } from './jobs/job-files.ts';
import { jobRoutes } from './jobs/jobs.ts';
import { streamJob } from './jobs/stream-job.ts';
import { monitorRoutes } from './monitors.ts';
import { statusRoutes } from './status.ts';
import { findingRoutes } from './transcripts/finding.ts';
import { transcriptRoutes } from './transcripts/transcripts.ts';
import { webhookRoutes } from './webhooks.ts';

/** In the groups of the contracts. A row that is missing here calls its command. */
export const routeHandlers: RouteHandlers = {
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
  ...webhookRoutes,
  ...statusRoutes,
};

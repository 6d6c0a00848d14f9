import { type AssistantDeps, sendMcpMessage } from '../assistant/assistant.ts';
import { accountRoutes } from '../routes/account/account.ts';
import { authRoutes } from '../routes/account/auth.ts';
import { billingRoutes } from '../routes/account/billing.ts';
import { connectionRoutes } from '../routes/account/connections.ts';
import { keyRoutes } from '../routes/account/keys.ts';
import { mailRoutes } from '../routes/account/mail.ts';
import { listRequests } from '../routes/account/requests.ts';
import { getUsage } from '../routes/account/usage.ts';
import { webhookRoutes } from '../routes/account/webhooks.ts';
import { getJobArchive, getJobDocument } from '../routes/jobs/job-archive.ts';
import { jobFileRoutes } from '../routes/jobs/job-files.ts';
import { jobRoutes } from '../routes/jobs/jobs.ts';
import { monitorRoutes } from '../routes/jobs/monitors.ts';
import { streamJob } from '../routes/jobs/stream-job.ts';
import type { RouteHandlers } from '../routes/serve/call-route.ts';
import { statusRoutes } from '../routes/status/status.ts';
import { findingRoutes } from '../routes/transcripts/finding.ts';
import { transcriptRoutes } from '../routes/transcripts/transcripts.ts';

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
  ...webhookRoutes,
  ...statusRoutes,
};

import { bulkOrchestrator } from '@tds/contracts';
import { defineService, onEvent } from '@tds/service-kit';
import { eraseAgain } from './application/erase-again.ts';
import { cancelJob } from './commands/cancel-job.ts';
import { createJob } from './commands/create-job.ts';
import { deleteJob } from './commands/delete-job.ts';
import { getJob } from './commands/get-job.ts';
import { getJobFile } from './commands/get-job-file.ts';
import { getJobManifest } from './commands/get-job-manifest.ts';
import { getJobSummary } from './commands/get-job-summary.ts';
import { listJobVideos } from './commands/list-job-videos.ts';
import { listJobs } from './commands/list-jobs.ts';
import { retryJob } from './commands/retry-job.ts';
import { createDeps } from './create-deps.ts';
import type { Deps } from './deps.ts';
import { accountStatusChanged } from './listeners/account-status-changed.ts';
import { creditsGranted } from './listeners/credits-granted.ts';
import { jobDeliveryChanged } from './listeners/job-delivery-changed.ts';
import { keyRevoked } from './listeners/key-revoked.ts';
import { rowsEnded } from './listeners/rows-ended.ts';
import { webhookConfigured } from './listeners/webhook-configured.ts';
import { webhookRemoved } from './listeners/webhook-removed.ts';
import { compareLines } from './schedules/compare-lines.ts';
import { purgeJobs } from './schedules/purge-jobs.ts';
import { reconcileLines } from './schedules/reconcile-lines.ts';
import { sweepJobs } from './schedules/sweep-jobs.ts';
import { surface } from './surface.ts';
import { disownJob } from './tasks/disown-job.ts';
import { enumerateJob } from './tasks/enumerate-job.ts';
import { haltJob } from './tasks/halt-job.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: {
    createJob,
    getJob,
    getJobSummary,
    listJobs,
    listJobVideos,
    cancelJob,
    retryJob,
    deleteJob,
    getJobManifest,
    getJobFile,
  },
  tasks: { enumerateJob, haltJob, disownJob },
  subscriptions: {
    creditsGranted,
    keyRevoked,
    accountStatusChanged,
    jobDeliveryChanged,
    webhookConfigured,
    webhookRemoved,
  },
  broadcasts: { rowsEnded },
  onOwnLostEvents: {
    jobErased: onEvent(bulkOrchestrator.jobErased, (deps: Deps, told) => eraseAgain(deps, told)),
  },
  schedules: { sweepJobs, compareLines, reconcileLines, purgeJobs },
});

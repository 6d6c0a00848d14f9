import { bulkOrchestrator } from '@tds/contracts';
import { defineService, onEvent } from '@tds/kit';
import { eraseAgain } from './application/change-job.ts';
import { createJob } from './commands/create-job.ts';
import {
  cancelJob,
  deleteJob,
  getJob,
  getJobFile,
  getJobManifest,
  getJobSummary,
  listJobs,
  listJobVideos,
} from './commands/jobs.ts';
import { retryJob } from './commands/retry-job.ts';
import { createDeps } from './create-deps.ts';
import type { Deps } from './deps.ts';
import {
  accountStatusChanged,
  creditsGranted,
  deliveriesLost,
  jobDeliveryChanged,
  keyRevoked,
  rowsEnded,
  webhookConfigured,
  webhookRemoved,
} from './listeners.ts';
import { compareBatches, purgeJobs, reconcileBatches, sweepJobs } from './schedules.ts';
import { surface } from './surface.ts';
import { enumerateJob, pauseBatch, waiveJob } from './tasks.ts';

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
  tasks: { enumerateJob, pauseBatch, waiveJob },
  subscriptions: {
    creditsGranted,
    keyRevoked,
    accountStatusChanged,
    deliveriesLost,
    jobDeliveryChanged,
    webhookConfigured,
    webhookRemoved,
  },
  broadcasts: { rowsEnded },
  onOwnLostEvents: {
    jobErased: onEvent(bulkOrchestrator.jobErased, (deps: Deps, event) => eraseAgain(deps, event)),
  },
  schedules: { sweepJobs, compareBatches, reconcileBatches, purgeJobs },
});

import { defineService } from '@tds/service-kit';
import { cancelJob } from './commands/cancel-job.ts';
import { createJob } from './commands/create-job.ts';
import { getJob } from './commands/get-job.ts';
import { getJobFile } from './commands/get-job-file.ts';
import { getJobManifest } from './commands/get-job-manifest.ts';
import { getJobSummary } from './commands/get-job-summary.ts';
import { listJobVideos } from './commands/list-job-videos.ts';
import { listJobs } from './commands/list-jobs.ts';
import { retryJob } from './commands/retry-job.ts';
import { createDeps } from './deps.ts';
import { creditsGranted } from './listeners/credits-granted.ts';
import { reconcileCharges } from './schedules/reconcile-charges.ts';
import { reconcileReservations } from './schedules/reconcile-reservations.ts';
import { sweepJobs } from './schedules/sweep-jobs.ts';
import { surface } from './surface.ts';
import { closeJob } from './tasks/close-job.ts';
import { enumerateJob } from './tasks/enumerate-job.ts';
import { releaseJob } from './tasks/release-job.ts';
import { runJob } from './tasks/run-job.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: {
    ...{ createJob, getJob, getJobSummary, listJobs, listJobVideos, cancelJob, retryJob },
    ...{ getJobManifest, getJobFile },
  },
  tasks: { enumerateJob, runJob, closeJob, releaseJob },
  subscriptions: { creditsGranted },
  schedules: { sweepJobs, reconcileReservations, reconcileCharges },
});

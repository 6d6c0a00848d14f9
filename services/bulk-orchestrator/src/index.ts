import { defineService } from '@tds/kit';
import { createJob } from './commands/create-job.ts';
import * as jobs from './commands/jobs.ts';
import { retryJob } from './commands/retry-job.ts';
import { createDeps } from './create-deps.ts';
import * as listeners from './listeners.ts';
import * as onOwnLostEvents from './recovery.ts';
import * as schedules from './schedules.ts';
import { surface } from './surface.ts';
import * as tasks from './tasks.ts';

const { rowsEnded, ...subscriptions } = listeners;

export const service = defineService({
  surface,
  createDeps,
  commands: { createJob, ...jobs, retryJob },
  tasks,
  subscriptions,
  broadcasts: { rowsEnded },
  onOwnLostEvents,
  schedules,
});

import { monitorScheduler } from '@tds/contracts';
import { defineService, onEvent } from '@tds/kit';
import { reapplyCancelled, reapplyChanged, reapplyJob, reapplyNewVideos } from './application/lost-events.ts';
import { createMonitor } from './commands/create-monitor.ts';
import * as monitors from './commands/monitors.ts';
import { createDeps } from './create-deps.ts';
import * as subscriptions from './listeners.ts';
import * as schedules from './schedules.ts';
import { surface } from './surface.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: { createMonitor, ...monitors },
  subscriptions,
  onOwnLostEvents: {
    monitorCancelled: onEvent(monitorScheduler.monitorCancelled, reapplyCancelled),
    monitorChanged: onEvent(monitorScheduler.monitorChanged, reapplyChanged),
    newVideosFound: onEvent(monitorScheduler.newVideosFound, reapplyNewVideos),
    automaticJobBegun: onEvent(monitorScheduler.automaticJobBegun, reapplyJob),
  },
  schedules,
});

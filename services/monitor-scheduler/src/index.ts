import { monitorScheduler } from '@tds/contracts';
import { defineService, onEvent } from '@tds/service-kit';
import { retakeCancelled, retakeJob, retakeNews } from './application/retake-lost-events.ts';
import { createMonitor } from './commands/create-monitor.ts';
import * as monitors from './commands/monitors.ts';
import { createDeps } from './create-deps.ts';
import type { Deps } from './deps.ts';
import * as subscriptions from './listeners.ts';
import * as schedules from './schedules.ts';
import { surface } from './surface.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: { createMonitor, ...monitors },
  subscriptions,
  onOwnLostEvents: {
    monitorCancelled: onEvent(monitorScheduler.monitorCancelled, (deps: Deps, told) =>
      retakeCancelled(deps, told),
    ),
    newVideosFound: onEvent(monitorScheduler.newVideosFound, (deps: Deps, told) => retakeNews(deps, told)),
    automaticJobBegun: onEvent(monitorScheduler.automaticJobBegun, (deps: Deps, told) =>
      retakeJob(deps, told),
    ),
  },
  schedules,
});

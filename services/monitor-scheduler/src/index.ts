import { monitorScheduler } from '@tds/contracts';
import { defineService, onEvent } from '@tds/service-kit';
import { retakeCancelled, retakeJob, retakeNews } from './application/retake-lost-events.ts';
import { cancelMonitor } from './commands/cancel-monitor.ts';
import { createMonitor } from './commands/create-monitor.ts';
import { getMonitor } from './commands/get-monitor.ts';
import { listMonitorVideos } from './commands/list-monitor-videos.ts';
import { listMonitors } from './commands/list-monitors.ts';
import { createDeps } from './create-deps.ts';
import type { Deps } from './deps.ts';
import { accountStatusChanged } from './listeners/account-status-changed.ts';
import { accountTierChanged } from './listeners/account-tier-changed.ts';
import { creditsGranted } from './listeners/credits-granted.ts';
import { newVideosRefused } from './listeners/new-videos-refused.ts';
import { webhookConfigured } from './listeners/webhook-configured.ts';
import { webhookDisabled } from './listeners/webhook-disabled.ts';
import { webhookRemoved } from './listeners/webhook-removed.ts';
import { checkFeeds } from './schedules/check-feeds.ts';
import { purgeFeeds } from './schedules/purge-feeds.ts';
import { runErrands } from './schedules/run-errands.ts';
import { serveMonitors } from './schedules/serve-monitors.ts';
import { surface } from './surface.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: { createMonitor, listMonitors, getMonitor, listMonitorVideos, cancelMonitor },
  subscriptions: {
    ...{ webhookConfigured, webhookRemoved, webhookDisabled, newVideosRefused },
    ...{ creditsGranted, accountStatusChanged, accountTierChanged },
  },
  onOwnLostEvents: {
    monitorCancelled: onEvent(monitorScheduler.monitorCancelled, (deps: Deps, told) =>
      retakeCancelled(deps, told),
    ),
    newVideosFound: onEvent(monitorScheduler.newVideosFound, (deps: Deps, told) => retakeNews(deps, told)),
    automaticJobBegun: onEvent(monitorScheduler.automaticJobBegun, (deps: Deps, told) =>
      retakeJob(deps, told),
    ),
  },
  schedules: { checkFeeds, serveMonitors, runErrands, purgeFeeds },
});

import { defineService } from '@tds/service-kit';
import { cancelMonitor } from './commands/cancel-monitor.ts';
import { createMonitor } from './commands/create-monitor.ts';
import { getMonitor } from './commands/get-monitor.ts';
import { listMonitors } from './commands/list-monitors.ts';
import { createDeps } from './create-deps.ts';
import { accountStatusChanged } from './listeners/account-status-changed.ts';
import { creditsGranted } from './listeners/credits-granted.ts';
import { newVideosRefused } from './listeners/new-videos-refused.ts';
import { webhookConfigured } from './listeners/webhook-configured.ts';
import { webhookDisabled } from './listeners/webhook-disabled.ts';
import { webhookRemoved } from './listeners/webhook-removed.ts';
import { checkFeeds } from './schedules/check-feeds.ts';
import { purgeFeeds } from './schedules/purge-feeds.ts';
import { serveMonitors } from './schedules/serve-monitors.ts';
import { surface } from './surface.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: { createMonitor, listMonitors, getMonitor, cancelMonitor },
  subscriptions: {
    ...{ webhookConfigured, webhookRemoved, webhookDisabled, newVideosRefused },
    ...{ creditsGranted, accountStatusChanged },
  },
  schedules: { checkFeeds, serveMonitors, purgeFeeds },
});

import { defineService } from '@tds/kit';
import { createMonitor } from './commands/create-monitor.ts';
import * as monitors from './commands/monitors.ts';
import * as readerFeeds from './commands/reader-feeds.ts';
import { createDeps } from './create-deps.ts';
import * as subscriptions from './listeners.ts';
import {
  automaticJobBegun,
  automaticJobPlanned,
  monitorCancelled,
  monitorChanged,
  newVideosFound,
  readerFeedChanged,
} from './recovery.ts';
import * as schedules from './schedules.ts';
import { surface } from './surface.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: { createMonitor, ...monitors, ...readerFeeds },
  subscriptions,
  onOwnLostEvents: {
    automaticJobBegun,
    automaticJobPlanned,
    monitorCancelled,
    monitorChanged,
    newVideosFound,
    readerFeedChanged,
  },
  schedules,
});

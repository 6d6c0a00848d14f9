import { defineService } from '@tds/service-kit';
import { getHistory } from './commands/get-history.ts';
import { getStatus } from './commands/get-status.ts';
import { recordLatency } from './commands/record-latency.ts';
import { createDeps } from './create-deps.ts';
import { canaryChecked } from './listeners/canary-checked.ts';
import { strategyObserved } from './listeners/strategy-observed.ts';
import { followIncidents } from './schedules/follow-incidents.ts';
import { judgeDays } from './schedules/judge-days.ts';
import { purgeOldRows } from './schedules/purge-old-rows.ts';
import { surface } from './surface.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: {
    getStatus,
    getHistory,
    recordLatency,
  },
  subscriptions: {
    strategyObserved,
    canaryChecked,
  },
  schedules: {
    followIncidents,
    judgeDays,
    purgeOldRows,
  },
});

import { defineService } from '@tds/kit';
import * as batches from './batches/commands.ts';
import { createDeps } from './create-deps.ts';
import * as credits from './credits/recovery.ts';
import * as health from './health/schedules.ts';
import * as library from './library/commands.ts';
import * as librarySchedules from './library/schedules.ts';
import * as links from './links/commands.ts';
import * as listeners from './listeners.ts';
import * as reads from './reads/commands.ts';
import { jobCancelled, jobCompleted, takeOverLostWork } from './recovery.ts';
import { purgeOldOperations } from './store/purge.ts';
import { surface } from './surface.ts';
import * as tracks from './tracks/commands.ts';

export { coldLimits } from './credits/domain/cold-caps.ts';

const { rowsEnded, rowsReady, ...subscriptions } = listeners;
const { linkEnded, ...linkCommands } = links;

export const service = defineService({
  surface,
  createDeps,
  commands: { ...reads, ...tracks, ...batches, ...library, ...linkCommands },
  subscriptions: { ...subscriptions, jobCompleted, jobCancelled },
  broadcasts: { rowsEnded, rowsReady },
  onOwnLostEvents: { linkEnded },
  schedules: { takeOverLostWork, ...credits, ...health, ...librarySchedules, purgeOldOperations },
});

import { defineService } from '@tds/kit';
import { getArchive, getDocument } from './commands/get-archive.ts';
import { createDeps } from './create-deps.ts';
import * as subscriptions from './listeners.ts';
import * as schedules from './schedules.ts';
import { surface } from './surface.ts';
import { buildArchive } from './tasks/build-archive.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: { getArchive, getDocument },
  tasks: { buildArchive },
  subscriptions,
  schedules,
});

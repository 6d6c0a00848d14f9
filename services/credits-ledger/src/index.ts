import { defineService } from '@tds/kit';
import * as blocks from './commands/blocks.ts';
import * as items from './commands/items.ts';
import * as requests from './commands/requests.ts';
import * as usage from './commands/usage.ts';
import { createDeps } from './create-deps.ts';
import * as subscriptions from './listeners.ts';
import * as schedules from './schedules.ts';
import { surface } from './surface.ts';
import * as tasks from './tasks.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: { ...items, ...usage, ...requests, ...blocks },
  tasks,
  subscriptions,
  schedules,
});

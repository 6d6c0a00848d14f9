import { defineService } from '@tds/kit';
import { listVideos } from './commands/list-videos.ts';
import * as resolving from './commands/resolve.ts';
import * as searching from './commands/search-page.ts';
import { createDeps } from './create-deps.ts';
import * as schedules from './schedules.ts';
import { surface } from './surface.ts';
import * as tasks from './tasks.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: { listVideos, ...resolving, ...searching },
  tasks,
  schedules,
});

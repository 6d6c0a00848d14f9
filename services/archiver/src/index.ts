import { defineService } from '@tds/service-kit';
import { getArchive } from './commands/get-archive.ts';
import { createDeps } from './create-deps.ts';
import { jobErased } from './listeners/job-erased.ts';
import { deleteOldArchives } from './schedules/delete-old-archives.ts';
import { resumeBuilds } from './schedules/resume-builds.ts';
import { surface } from './surface.ts';
import { buildArchive } from './tasks/build-archive.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: { getArchive },
  tasks: { buildArchive },
  subscriptions: { jobErased },
  schedules: { resumeBuilds, deleteOldArchives },
});

import { bulkOrchestrator } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { ownJob } from '../application/own-job.ts';
import type { Deps } from '../deps.ts';
import { pageOfRows } from '../store/job-views.ts';

export const listJobVideos = onCommand(
  bulkOrchestrator.listJobVideos,
  async ({ db }: Deps, { status, limit, offset, ...owned }) =>
    pageOfRows(db, await ownJob(db, owned), status, { limit, offset }),
);

import { bulkOrchestrator } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { pageOfJobs } from '../store/job-views.ts';

export const listJobs = onCommand(
  bulkOrchestrator.listJobs,
  async ({ db }: Deps, { limit, offset, ...asked }) => pageOfJobs(db, asked, { limit, offset }),
);

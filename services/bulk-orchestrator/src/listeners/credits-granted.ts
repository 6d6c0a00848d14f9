import { creditsLedger } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { resumeJob } from '../application/resume-job.ts';
import type { Deps } from '../deps.ts';
import { jobsWithoutCredits } from '../store/sweeps.ts';

/** Resuming a job twice is resuming it once, so nothing has to be noted; whatever is missed, the sweeper finds. */
export const creditsGranted = onEvent(
  creditsLedger.creditsGranted,
  async (deps: Deps, { accountId }, context) => {
    for (const id of await jobsWithoutCredits(deps.db, accountId)) await resumeJob(deps, id, context);
  },
);

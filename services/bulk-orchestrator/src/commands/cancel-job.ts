import { bulkOrchestrator } from '@tds/contracts';
import { isServiceAway, onCommand } from '@tds/service-kit';
import { cancelLocked } from '../application/cancel-job.ts';
import { changeJob } from '../application/change-job.ts';
import { haltLine } from '../application/halt-line.ts';
import { ownJob } from '../application/own-job.ts';
import type { Deps } from '../deps.ts';
import { bodyOf } from '../store/job-views.ts';

/** A task repeats the halt until it is heard; it is tried here as well, so that the answer says what is still held. */
export const cancelJob = onCommand(bulkOrchestrator.cancelJob, async (deps: Deps, request, context) => {
  const { id } = await ownJob(deps.db, request);
  if (await changeJob(deps, id, cancelLocked))
    await haltLine(deps, id, context).catch((error: unknown) => {
      if (!isServiceAway(error)) throw error;
    });
  const job = await ownJob(deps.db, request);
  return { job: await bodyOf(deps.db, job), version: job.version };
});

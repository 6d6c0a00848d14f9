import { randomUUID } from 'node:crypto';
import { bulkOrchestrator } from '@tds/contracts';
import { onTask } from '@tds/service-kit';
import { failRun, finishOrWait, pauseRun } from '../application/end-run.ts';
import { untilBack } from '../application/until-back.ts';
import { workOnRows } from '../application/work-on-rows.ts';
import type { Deps } from '../deps.ts';
import { beginRun } from '../store/jobs.ts';

/** Each attempt is a runner of its own: whoever had the job before it can save nothing any more. */
export const runJob = onTask(bulkOrchestrator.runJob, async (deps: Deps, { jobId }, task) => {
  const { db, kit, now, progress } = deps;
  const run = { jobId, runnerId: randomUUID() };
  const job = await kit.messaging.transaction(db, (tx) => beginRun(tx, jobId, run.runnerId, now()));
  if (job === null) return;
  progress.tell(jobId, job.version);
  const stopped = await untilBack(() => workOnRows(deps, job, run, task));
  task.record.add({ jobId, stopped: stopped.kind });
  switch (stopped.kind) {
    case 'idle':
      return untilBack(() => finishOrWait(deps, run, task));
    case 'paused':
      return pauseRun(deps, run, stopped.pause, task);
    case 'failed':
      return untilBack(() => failRun(deps, run, stopped.error, task));
    case 'lost':
      return;
  }
});

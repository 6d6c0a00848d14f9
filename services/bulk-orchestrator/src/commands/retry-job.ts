import { bulkOrchestrator, serviceError, type Tier } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { admitActiveJob } from '../application/new-job.ts';
import { ownJob } from '../application/own-job.ts';
import { beginWork, tell } from '../application/send-tasks.ts';
import type { Deps } from '../deps.ts';
import { isActive } from '../domain/job-state.ts';
import type { Tx } from '../store/database.ts';
import { bodyOf } from '../store/job-views.ts';
import { asNew, type Job, lockJob, moveJob } from '../store/jobs.ts';
import { positionsToRetry, requeue } from '../store/rows.ts';

type Retried = { readonly job: Job; readonly requeued: number };

const retry = ({ db, kit, now }: Deps, job: Job, tier: Tier): Promise<Retried> =>
  kit.messaging.transaction(db, async (tx: Tx, send) => {
    const found = (await lockJob(tx, job.id)) ?? job;
    if (found.status === 'cancelled') throw serviceError('job_cancelled');
    const positions = await positionsToRetry(tx, job.id);
    const hasWork = positions.length > 0 || !found.isListed;
    if (isActive(found.status) || !hasWork) return { job: found, requeued: 0 };
    await admitActiveJob(tx, job.accountId, tier);
    await requeue(tx, job.id, positions);
    const retried = await moveJob(tx, found, 'retried', asNew, now());
    if (retried === null) return { job: found, requeued: 0 };
    await tell(tx, send, 'jobRetried', retried);
    await beginWork(tx, send, retried);
    return { job: retried, requeued: positions.length };
  });

/** Takes up the rows that failed and may succeed another time, or the listing that did; for everything else it is too late. */
export const retryJob = onCommand(bulkOrchestrator.retryJob, async (deps: Deps, { tier, ...owned }) => {
  const { job, requeued } = await retry(deps, await ownJob(deps.db, owned), tier);
  deps.progress.tell(job.id, job.version);
  return { job: await bodyOf(deps.db, job), version: job.version, requeued };
});

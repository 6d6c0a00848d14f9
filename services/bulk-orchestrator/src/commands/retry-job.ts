import { bulkOrchestrator, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { admitActiveJob } from '../application/admit-job.ts';
import { assertOwn, changeJob, type JobLock, requireJob, resumeJob } from '../application/change-job.ts';
import type { Deps } from '../deps.ts';
import { hasEnded } from '../domain/job-state.ts';
import { readBody } from '../store/job-views.ts';
import { requeueRows } from '../store/rows.ts';

type RetryJobRequest = Pick<RequestOf<typeof bulkOrchestrator.retryJob>, 'tier' | 'keyId' | 'limitId'>;

/** For a job whose key was revoked: the requesting key takes it over. */
const takeOver = async (lock: JobLock, { keyId, limitId, tier }: RetryJobRequest) => {
  const saved = await resumeJob(lock, { keyId, limitId, tier });
  return { ...saved, requeued: saved.numbers.remaining };
};

const retryEndedJob = async (lock: JobLock, { keyId, limitId, tier }: RetryJobRequest) => {
  const { tx, job, now } = lock;
  const requeued = await requeueRows(tx, job.id);
  if (requeued === 0 && job.isListed) return null;
  await admitActiveJob(tx, job.accountId, tier, now);
  const asNew = { error: null, troubleCount: 0, troubleSince: null };
  const status = job.isListed ? 'running' : 'enumerating';
  const saved = await resumeJob(lock, { ...asNew, status, keyId, limitId, tier }, 'jobRetried');
  return { ...saved, requeued };
};

const retry = async (lock: JobLock, request: RetryJobRequest) => {
  const { status, pauseReason } = lock.job;
  if (status === 'cancelled') throw serviceError('job_cancelled');
  if (hasEnded(status)) return retryEndedJob(lock, request);
  return pauseReason === 'key_revoked' ? takeOver(lock, request) : null;
};

/** Requeues failed rows that may succeed, or the failed listing. */
export const retryJob = onCommand(
  bulkOrchestrator.retryJob,
  async (deps: Deps, { tier, keyId, limitId, ...jobRef }, context) => {
    const asked = await requireJob(deps.db, jobRef);
    const { id, pauseReason } = asked;
    // One whose key was revoked is that of the key that retries it.
    if (pauseReason !== 'key_revoked') await assertOwn(deps, asked, { keyId }, context);
    const retried = await changeJob(deps, id, (lock) => retry(lock, { tier, keyId, limitId }));
    const job = await requireJob(deps.db, jobRef);
    return { job: await readBody(deps.db, job), version: job.version, requeued: retried?.requeued ?? 0 };
  },
);

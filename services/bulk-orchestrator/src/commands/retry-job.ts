import { bulkOrchestrator, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { admitActiveJob } from '../application/admit-job.ts';
import { changeJob, type Locked, ownJob, resumeJob } from '../application/change-job.ts';
import type { Deps } from '../deps.ts';
import { hasEnded } from '../domain/job-state.ts';
import { bodyOf } from '../store/job-views.ts';
import { requeueRows } from '../store/rows.ts';
import type { Saved } from '../store/save-job.ts';

type RetryJobRequest = Pick<RequestOf<typeof bulkOrchestrator.retryJob>, 'tier' | 'keyId' | 'limitId'>;
type RetriedJob = Saved & { readonly requeued: number };

/** For a job whose key was revoked: the requesting key takes it over. */
const takeOver = async (locked: Locked, { keyId, limitId, tier }: RetryJobRequest): Promise<RetriedJob> => {
  const saved = await resumeJob(locked, { keyId, limitId, tier });
  return { ...saved, requeued: saved.numbers.left };
};

const retryEnded = async (
  locked: Locked,
  { keyId, limitId, tier }: RetryJobRequest,
): Promise<RetriedJob | null> => {
  const { tx, job, now } = locked;
  const requeued = await requeueRows(tx, job.id);
  if (requeued === 0 && job.isListed) return null;
  await admitActiveJob(tx, job.accountId, tier, now);
  const asNew = { error: null, troubleCount: 0, troubleSince: null };
  const status = job.isListed ? 'running' : 'enumerating';
  const saved = await resumeJob(locked, { ...asNew, status, keyId, limitId, tier }, 'jobRetried');
  return { ...saved, requeued };
};

const retry = async (locked: Locked, given: RetryJobRequest): Promise<RetriedJob | null> => {
  const { status, pauseReason } = locked.job;
  if (status === 'cancelled') throw serviceError('job_cancelled');
  if (hasEnded(status)) return retryEnded(locked, given);
  return pauseReason === 'key_revoked' ? takeOver(locked, given) : null;
};

/** Requeues failed rows that may succeed, or the failed listing. */
export const retryJob = onCommand(
  bulkOrchestrator.retryJob,
  async (deps: Deps, { tier, keyId, limitId, ...owned }) => {
    const { id } = await ownJob(deps.db, owned);
    const retried = await changeJob(deps, id, (locked) => retry(locked, { tier, keyId, limitId }));
    const job = await ownJob(deps.db, owned);
    return { job: await bodyOf(deps.db, job), version: job.version, requeued: retried?.requeued ?? 0 };
  },
);

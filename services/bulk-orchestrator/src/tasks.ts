import { isServiceAway, LeaseLost, RetryLater, toServiceError } from '@tds/base';
import { bulkOrchestrator, identity, transcriptFetcher } from '@tds/contracts';
import { ServiceError } from '@tds/errors';
import { onTask } from '@tds/kit';
import { crashPoint, type TaskContext } from '@tds/messaging';
import { pauseBatch as pause } from './application/apply-changes.ts';
import { asPaused, changeJob, type JobLock, save } from './application/change-job.ts';
import { listInput, type Source } from './application/list-source.ts';
import type { Deps } from './deps.ts';
import { toListingFailure } from './domain/enumeration.ts';
import { findJob, type Job } from './store/jobs.ts';
import { insertRows } from './store/rows.ts';
import type { SavedJob } from './store/save-job.ts';

const RETRY_DELAY_MS = 2_000;

/** Retries a task soon, without limit, while another service is away. */
async function retryWhileAway<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isServiceAway(error)) throw error;
    throw new RetryLater(RETRY_DELAY_MS, error.message, { isAttempt: false });
  }
}

const LISTING_WAIT_MS = 20_000;
const POLL_MS = 500;

/** Ends the task with a change of the job, unless its owner has cancelled it. */
const completeTask = async (
  deps: Deps,
  jobId: string,
  task: TaskContext,
  work: (lock: JobLock) => Promise<SavedJob>,
) => {
  await changeJob(deps, jobId, async (lock) => {
    await task.complete(lock.tx);
    return lock.job.status === 'enumerating' ? work(lock) : null;
  });
};

/** The rows are due from now on: the sweep opens them. */
const saveListing = async (lock: JobLock, { kind, videos, omitted }: Source) => {
  await insertRows(lock.tx, lock.job.id, videos);
  return save(lock, { isListed: true, sourceKind: kind, omitted, troubleSince: null });
};

const saveListingFailure = (lock: JobLock, error: ServiceError) => {
  const next = toListingFailure(error, lock.job.troubleSince, lock.now);
  if (next.kind === 'failed') return save(lock, { status: 'failed', error: next.error });
  return save(lock, { ...asPaused(lock.job, next.pause), troubleSince: next.troubleSince });
};

/** A fault of ours that this many attempts meet is met by all: the job must not hold its account's place for ever. */
const MAX_FAULTS = 5;

/** Ends a job that cannot be enumerated with a code. A dependency that is away is no fault of the job. */
const saveFault = async (deps: Deps, jobId: string, task: TaskContext, thrown: unknown) => {
  const { errorClass, code } = toServiceError(thrown).data;
  const isFault = code === 'unexpected_error' && task.attempt >= MAX_FAULTS;
  const isCutOff = thrown instanceof LeaseLost || task.signal.aborted;
  if (isCutOff || !(isFault || task.isLastAttempt)) throw thrown;
  deps.log.error('a job cannot be enumerated', { jobId, error: thrown });
  await completeTask(deps, jobId, task, (lock) =>
    save(lock, { status: 'failed', error: { errorClass, code } }),
  );
};

/** In whose slot the listing counts: that of the key that began the job, or of who has it since a removed person passed it on. */
const slotOf = async ({ call }: Deps, { accountId, keyId, limitId }: Job, task: TaskContext) => {
  const phase = await call(identity.getKeyPhase, { accountId, keyId }, task);
  return phase.payingKeyId === undefined ? limitId : phase.limitId;
};

/** Lists the source, and saves its rows. */
export const enumerateJob = onTask(bulkOrchestrator.enumerateJob, async (deps: Deps, { jobId }, task) => {
  const job = await findJob(deps.db, jobId);
  if (job?.status !== 'enumerating' || job.sourceInput === null) return;
  const input = { ...job, input: job.sourceInput };
  try {
    await retryWhileAway(async () => {
      const caller = { ...job, limitId: await slotOf(deps, job, task) };
      const source = await listInput(deps, input, caller, LISTING_WAIT_MS, task);
      if (source === null) throw new RetryLater(POLL_MS, 'still being listed', { isAttempt: false });
      crashPoint('job-listed');
      await completeTask(deps, jobId, task, (lock) => saveListing(lock, source));
    });
  } catch (error) {
    if (error instanceof RetryLater) throw error;
    if (!(error instanceof ServiceError) || error.code === 'unexpected_error')
      return saveFault(deps, jobId, task, error);
    await completeTask(deps, jobId, task, (lock) => saveListingFailure(lock, error));
  }
});

export const pauseBatch = onTask(bulkOrchestrator.pauseBatch, (deps: Deps, { jobId }, task) =>
  retryWhileAway(() => pause(deps, jobId, task)),
);

/** May arrive before the first row of the batch, which then opens none. */
export const waiveJob = onTask(bulkOrchestrator.waiveJob, (deps: Deps, { jobId: batchId, accountId }, task) =>
  retryWhileAway(async () => {
    await deps.call(transcriptFetcher.waiveBatch, { batchId, accountId }, task);
  }),
);

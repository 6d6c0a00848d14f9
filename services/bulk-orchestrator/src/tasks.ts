import { isServiceAway, LeaseLost, RetryLater, toServiceError } from '@tds/base';
import { bulkOrchestrator, transcriptFetcher } from '@tds/contracts';
import { ServiceError } from '@tds/errors';
import { onTask } from '@tds/kit';
import { crashPoint, type TaskContext } from '@tds/messaging';
import { haltLine } from './application/apply-changes.ts';
import { asPaused, changeJob, type Locked, save } from './application/change-job.ts';
import { listInput, type Source } from './application/list-source.ts';
import type { Deps } from './deps.ts';
import { whenNotListed } from './domain/enumeration.ts';
import { findJob } from './store/jobs.ts';
import { insertRows } from './store/rows.ts';
import type { Saved } from './store/save-job.ts';

const LOOK_AGAIN_MS = 2_000;

/** Retries a task soon, without limit, while another service is away. */
async function untilBack<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isServiceAway(error)) throw error;
    throw new RetryLater(LOOK_AGAIN_MS, error.message, { isAttempt: false });
  }
}

const LISTING_WAIT_MS = 20_000;
const ASK_AGAIN_MS = 500;

/** Ends the task with a change of the job, unless its owner has cancelled it. */
const leave = async (
  deps: Deps,
  jobId: string,
  task: TaskContext,
  work: (locked: Locked) => Promise<Saved>,
): Promise<void> => {
  await changeJob(deps, jobId, async (locked) => {
    await task.complete(locked.tx);
    return locked.job.status === 'enumerating' ? work(locked) : null;
  });
};

/** The rows are due from now on: the sweep opens them. */
const saveListed = async (locked: Locked, { kind, videos }: Source): Promise<Saved> => {
  await insertRows(locked.tx, locked.job.id, videos);
  return save(locked, { isListed: true, sourceKind: kind, troubleSince: null });
};

const codeOf = ({ data: { errorClass, code } }: ServiceError) => ({ errorClass, code });

const saveNotListed = (locked: Locked, error: ServiceError): Promise<Saved> => {
  const next = whenNotListed(error, locked.job.troubleSince, locked.now);
  if (next.kind === 'failed') return save(locked, { status: 'failed', error: next.error });
  return save(locked, { ...asPaused(locked.job, next.pause), troubleSince: next.troubleSince });
};

/** A fault of ours that this many attempts meet is met by all: the job must not hold its account's place for ever. */
const MAX_FAULTS = 5;

/** Ends a job that cannot be enumerated with a code. A dependency that is away is no fault of the job. */
const saveFault = async (deps: Deps, jobId: string, task: TaskContext, thrown: unknown): Promise<void> => {
  const error = toServiceError(thrown);
  const isFault = error.code === 'unexpected_error' && task.attempt >= MAX_FAULTS;
  const isCutOff = thrown instanceof LeaseLost || task.signal.aborted;
  if (isCutOff || !(isFault || task.isLastAttempt)) throw thrown;
  deps.log.error('a job cannot be enumerated', { jobId, error: thrown });
  await leave(deps, jobId, task, (locked) => save(locked, { status: 'failed', error: codeOf(error) }));
};

/** Lists the source, and saves its rows. */
export const enumerateJob = onTask(bulkOrchestrator.enumerateJob, async (deps: Deps, { jobId }, task) => {
  const job = await findJob(deps.db, jobId);
  if (job?.status !== 'enumerating' || job.sourceInput === null) return;
  const input = { ...job, input: job.sourceInput };
  try {
    await untilBack(async () => {
      const source = await listInput(deps, input, job, LISTING_WAIT_MS, task);
      if (source === null) throw new RetryLater(ASK_AGAIN_MS, 'still being listed', { isAttempt: false });
      crashPoint('job-listed');
      await leave(deps, jobId, task, (locked) => saveListed(locked, source));
    });
  } catch (error) {
    if (error instanceof RetryLater) throw error;
    if (!(error instanceof ServiceError) || error.code === 'unexpected_error')
      return saveFault(deps, jobId, task, error);
    await leave(deps, jobId, task, (locked) => saveNotListed(locked, error));
  }
});

export const haltJob = onTask(bulkOrchestrator.haltJob, (deps: Deps, { jobId }, task) =>
  untilBack(() => haltLine(deps, jobId, task)),
);

/** May arrive before the first row of the line, which then opens none. */
export const disownJob = onTask(
  bulkOrchestrator.disownJob,
  (deps: Deps, { jobId: lineId, accountId }, task) =>
    untilBack(async () => {
      await deps.call(transcriptFetcher.disownLine, { lineId, accountId }, task);
    }),
);

import { each, isServiceAway, purgeEach, purgeOlder, walk } from '@tds/base';
import {
  bulkOrchestrator,
  HOUR_MS,
  MAX_BATCHES_PER_PAGE,
  type ReplyOf,
  transcriptFetcher,
} from '@tds/contracts';
import type { CallContext } from '@tds/kit';
import { onSchedule } from '@tds/kit';
import { advanceJob, openSavedRows, repeatOpening } from './application/advance-job.ts';
import { applyChanges } from './application/apply-changes.ts';
import { changeJob, forgetBatch } from './application/change-job.ts';
import { discardJob, openNewJob } from './application/new-job.ts';
import type { Deps } from './deps.ts';
import { type ComparedJob, findUnheardJobs, jobQueue, knownBatches, noteHeard } from './store/clocks.ts';
import type { Db } from './store/database.ts';
import { findJob, type Job, lockJob } from './store/jobs.ts';
import { eraseJob, findOldJobs } from './store/save-job.ts';

/** Jobs advanced concurrently. */
const MAX_CONCURRENT_JOBS = 32;

/** A creation that has failed for this long is given up, so that it does not hold its account's place for ever. */
const MAX_CREATION_MS = HOUR_MS;

/** Completes the creation of a job whose process died. Without a key no caller can ask for the job again, so it is deleted. */
const endCreation = async (deps: Deps, { id, idempotencyKey, createdAt }: Job, context: CallContext) => {
  const isOld = Date.now() - createdAt.getTime() > MAX_CREATION_MS;
  if (idempotencyKey === null || isOld) return discardJob(deps, id);
  const opening = await changeJob(deps, id, async (lock) =>
    lock.job.status === 'creating' ? repeatOpening(lock) : null,
  );
  const accepted = opening && (await openNewJob(deps, opening, context));
  if (accepted) await openSavedRows(deps, accepted, context);
};

const sweepJob = async (deps: Deps, id: string, context: CallContext) => {
  const job = await findJob(deps.db, id);
  if (job === null) return;
  await (job.status === 'creating' ? endCreation(deps, job, context) : advanceJob(deps, id, context));
};

/** Advances due jobs, and those that a death left. A failed one is due again when its lease ends. */
export const sweepJobs = onSchedule(async (deps: Deps, context) => {
  for (;;) {
    const due = await jobQueue.claim(deps.pool, MAX_CONCURRENT_JOBS);
    if (due.length === 0 || context.signal.aborted) return;
    const ended = await Promise.allSettled(due.map(({ id }) => sweepJob(deps, id, context)));
    const failures = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    const unexpected = failures.filter((error) => !isServiceAway(error));
    if (unexpected.length > 0) throw new AggregateError(unexpected, `${unexpected.length} jobs failed`);
  }
});

type Batch = ReplyOf<typeof transcriptFetcher.batchVersions>['batches'][number];
type Difference = 'same' | 'changes' | 'lost';

/** Compares a job with its batch: nothing new, changes, or rows that the fetcher has lost. */
const findDifference = ({ batchVersion, atFetcher }: ComparedJob, batch: Batch | undefined): Difference => {
  if (!batch || batch.version < batchVersion) return 'lost';
  if (batch.version > batchVersion) return 'changes';
  return batch.openRows < atFetcher ? 'lost' : 'same';
};

const comparePage = async (deps: Deps, page: readonly ComparedJob[], context: CallContext) => {
  const batchIds = page.map(({ id }) => id);
  const { batches } = await deps.call(transcriptFetcher.batchVersions, { batchIds }, context);
  const byId = new Map(batches.map((batch) => [batch.batchId, batch]));
  const same = page.filter((job) => findDifference(job, byId.get(job.id)) === 'same');
  await noteHeard(
    deps.db,
    same.map(({ id }) => id),
  );
  await each<ComparedJob>(async (job) => {
    const difference = findDifference(job, byId.get(job.id));
    if (difference === 'changes') await applyChanges(deps, job.id, context);
    if (difference === 'lost') await changeJob(deps, job.id, forgetBatch);
  })(page);
};

/** Finds changes whose hints were lost. Compares jobs with rows at the fetcher by version and count, never row by row. */
export const compareBatches = onSchedule((deps: Deps, context) =>
  walk<ComparedJob>(
    (after) => findUnheardJobs(deps.db, deps.limits.unheardMs, after?.id),
    (page) => comparePage(deps, page, context),
    context.signal,
  ),
);

type ListedBatch = ReplyOf<typeof transcriptFetcher.listBatches>['batches'][number];

/** Emitted before the batch is stopped: a death in between repeats both. */
const waive = async ({ db, messaging, call }: Deps, batch: ListedBatch, context: CallContext) => {
  const { batchId: jobId, accountId } = batch;
  await messaging.transaction(db, (_tx: Db, send) => send.emit(bulkOrchestrator.jobLost, { jobId, accountId }));
  await call(transcriptFetcher.waiveBatch, batch, context);
};

const reconcilePage = async (deps: Deps, page: readonly ListedBatch[], context: CallContext) => {
  const { db, call } = deps;
  const batchIds = page.map(({ batchId }) => batchId);
  const { batches } = await call(transcriptFetcher.batchVersions, { batchIds }, context);
  const versions = new Map(batches.map(({ batchId, version }) => [batchId, version]));
  const savedVersions = new Map(
    (await knownBatches(db, batchIds)).map(({ id, batchVersion }) => [id, batchVersion]),
  );
  await each<ListedBatch>(async (batch) => {
    const version = savedVersions.get(batch.batchId);
    if (version === undefined) await waive(deps, batch, context);
    else if (version !== versions.get(batch.batchId)) await applyChanges(deps, batch.batchId, context);
  })(page);
};

/**
 * After a restore of this database: stops batches without a job and refunds their charges; reads the changes of the others. Runs at the
 * start, after a swap of the database, when the batches of then are old enough, and each hour.
 */
export const reconcileBatches = onSchedule(async (deps: Deps, context): Promise<void> => {
  const { call, reconciliation } = deps;
  if (performance.now() < reconciliation.nextAt) return;
  const limit = MAX_BATCHES_PER_PAGE;
  const find = async (after: ListedBatch | null) =>
    (await call(transcriptFetcher.listBatches, { after: after?.batchId ?? null, limit }, context)).batches;
  await walk(find, (page) => reconcilePage(deps, page, context), context.signal);
  reconciliation.nextAt = performance.now() + reconciliation.intervalMs;
  reconciliation.intervalMs = HOUR_MS;
});

/** Retention of the rows of an ended job. */
const RETENTION_DAYS = 180;

const eraseOldJobs =
  ({ db, messaging }: Deps) =>
  async (limit: number): Promise<number> => {
    const jobs = await findOldJobs(db, RETENTION_DAYS, limit);
    for (const jobId of jobs)
      await messaging.transaction(db, async (tx, send) => {
        const job = await lockJob(tx, jobId);
        if (job === null || job.erasedAt !== null || job.finishedAt === null) return;
        await eraseJob(tx, job);
        await send.emit(bulkOrchestrator.jobErased, { jobId, accountId: job.accountId });
      });
    return jobs.length;
  };

export const purgeJobs = onSchedule(async (deps: Deps, { signal }) => {
  const days = purgeOlder(deps.db, { table: 'creation_days', age: 'day' }, '2 days');
  await purgeEach({ jobs: eraseOldJobs(deps), days }, { signal, batch: 100 });
});

import {
  type Batch,
  hasEnded,
  isLeft,
  isLive,
  type Job,
  type JobRow,
  type Key,
  type OperationRow,
  type Pause,
} from './state.ts';
import type { World } from './world.ts';

const MAX_ATTEMPTS = 2;

/** Derives the status from the rows; every end of a creation answers its key. */
export const save = (world: World, job: Job, change: Partial<Job> = {}): void => {
  const wasCreating = job.status === 'creating';
  Object.assign(job, change);
  if (wasCreating && job.status !== 'creating' && (world.rules.answersKeys || job.status === 'running'))
    job.isAnswered = true;
  if (job.status === 'creating' || !isLive(job)) return;
  const left = job.rows.filter(isLeft);
  const delivered = job.rows.some(({ status }) => status === 'fetched' || status === 'cached');
  const isWaiting =
    (job.opening !== null && job.status === 'paused') ||
    (job.pause !== null && left.every(({ operation }) => operation === null));
  if (left.length > 0) job.status = isWaiting ? 'paused' : 'running';
  else job.status = delivered ? 'completed' : 'failed';
};

const pauseLater = ({ db }: World, { id, account }: Job): void =>
  void db.jobs.tasks.set(`pause ${id}`, { kind: 'pause', job: id, account });

/** Begins nothing more; rows at the fetcher end there. */
export const cancel = (world: World, job: Job): void => {
  if (!isLive(job)) return;
  for (const row of job.rows) if (row.status === 'pending' && row.operation === null) row.status = 'cancelled';
  pauseLater(world, job);
  save(world, job, { pause: null, status: 'cancelled' });
};

export const pauseForKey = (world: World, job: Job): void => {
  if (!isLive(job)) return;
  pauseLater(world, job);
  save(world, job, { pause: 'key_revoked' });
};

/** A retry of failed rows, or of a job with a revoked key, moves the job to the retrying key. */
export const retry = (world: World, job: Job, key: Key): void => {
  if (job.status === 'cancelled') return;
  if (isLive(job)) {
    if (job.pause !== 'key_revoked') return;
    world.coverage.takeovers += 1;
    save(world, job, { key: key.id, pause: null });
    return;
  }
  const failed = job.rows.filter(({ status }) => status === 'error');
  if (failed.length === 0) return;
  world.coverage.retries += 1;
  for (const row of failed) Object.assign(row, { status: 'pending', tries: 0 });
  save(world, job, { key: key.id, pause: null, status: 'running' });
};

/** Gives each row without one an operation, saved before it is used. */
export const beginAttempts = (world: World, job: Job): JobRow[] => {
  const due = job.rows.filter(({ status, operation }) => status === 'pending' && operation === null);
  for (const row of due) row.operation = world.id('row');
  return due;
};

export const atFetcher = (job: Job): JobRow[] => job.rows.filter(({ operation }) => operation !== null);

export type Answer = { readonly unopened: readonly string[]; readonly why: Pause | 'stopped' | null };

/** Saves the fetcher's answer to an opening; only the last answer counts. */
export const saveOpened = (world: World, job: Job, asked: Job, { unopened, why }: Answer): void => {
  if (job.opening !== asked.opening && world.rules.hearsTheLastAnswer) return;
  for (const row of job.rows)
    if (row.operation !== null && unopened.includes(row.operation))
      Object.assign(row, { operation: null, status: job.status === 'cancelled' ? 'cancelled' : 'pending' });
  const confirmed = { opening: null, isForgotten: false };
  if (why === 'stopped') {
    save(world, job, { ...confirmed, ...(job.pause === asked.pause ? { pause: null } : {}) });
    cancel(world, job);
    return;
  }
  // A pause that only the owner ends, or a newer one, stays.
  const isOver = job.pause === asked.pause ? null : job.pause;
  const pause = why === null ? isOver : job.pause === 'key_revoked' ? job.pause : why;
  save(world, job, { ...confirmed, pause });
};

/** Applies a change to a row, if it is new. */
const apply = (job: Job, row: JobRow, change: OperationRow): void => {
  const isNew =
    change.state === 'delivered'
      ? row.status !== 'fetched' && (row.status !== 'cached' || change.charge === 1)
      : row.operation === change.id;
  if (!isNew) return;
  const isOver = !isLive(job);
  if (change.state === 'delivered')
    Object.assign(row, { status: change.charge === 1 ? 'fetched' : 'cached', operation: null });
  else if (change.state === 'fetching') row.status = 'processing';
  else if (hasEnded(change)) {
    const isFailed = change.state === 'failed' && row.tries + 1 >= MAX_ATTEMPTS;
    if (change.state === 'failed') row.tries += 1;
    Object.assign(row, { status: isFailed ? 'error' : isOver ? 'cancelled' : 'pending', operation: null });
  }
};

/** Saves changes since the cursor, unless another reader has saved them. */
export const saveChanges = (
  world: World,
  job: Job,
  asked: Job,
  rows: readonly OperationRow[],
  upTo: Job['changes'],
): void => {
  if (job.changes.version !== asked.changes.version || job.changes.position !== asked.changes.position) return;
  for (const changes of rows) {
    const row = job.rows[changes.position];
    if (row) apply(job, row, changes);
  }
  save(world, job, { changes: upTo });
};

/** The fetcher has lost rows of the batch: opens them again, and reads changes from the beginning. */
export const forgetBatch = (world: World, job: Job): void => {
  if (job.opening !== null || job.status === 'creating' || atFetcher(job).length === 0) return;
  world.coverage.forgottenBatches += 1;
  save(world, job, {
    opening: world.id('opening'),
    isForgotten: true,
    changes: { version: 0, position: -1 },
  });
};

/** Compares a job with its batch, if there are no changes. */
export const compareBatch = (
  world: World,
  job: Job,
  batch: (Batch & { readonly version: number }) | null,
): void => {
  if (job.status === 'creating' || job.opening !== null) return;
  if (batch === null || batch.version < job.changes.version) forgetBatch(world, job);
  else if (batch.state === 'stopped') cancel(world, job);
  if (job.status === 'cancelled' && batch !== null && batch.state !== 'stopped') pauseLater(world, job);
};

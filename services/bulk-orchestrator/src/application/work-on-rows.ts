import type { ServiceError } from '@tds/contracts';
import { crashPoint, type TaskContext } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { isTroubled, judge, type Pause, type RowInHand, type Trouble } from '../domain/outcomes.ts';
import { type Job, troubleOf } from '../store/jobs.ts';
import { claimRows, countLeft, isAnswered, type Run, rowsInHand, type Window } from '../store/rows.ts';
import { saveOutcomes } from '../store/save-outcomes.ts';
import { askFetcher } from './ask-fetcher.ts';
import { type Held, holdCredits } from './hold-credits.ts';
import { type Ended, settleRows } from './settle-rows.ts';

/** Why a worker has nothing in hand any more. */
export type Stopped =
  /** No row is due; perhaps none is left. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'paused'; readonly pause: Pause }
  | { readonly kind: 'failed'; readonly error: ServiceError }
  /** Somebody else has the job, or its owner has cancelled it. */
  | { readonly kind: 'lost' };

/** What one worker knows of the job that it works on. */
type Work = {
  readonly job: Job;
  readonly run: Run;
  readonly task: TaskContext;
  readonly inHand: Map<string, RowInHand>;
  trouble: Trouble;
  /** Set as soon as nothing more is to be begun; what is in hand is waited for. */
  stopping: Stopped | null;
  needsCredits: boolean;
};

const takeUp = (work: Work, rows: readonly RowInHand[]): void => {
  for (const row of rows) work.inHand.set(row.operationId, row);
};

const stoppedBy = (held: Exclude<Held, { kind: 'held' }>): Stopped => {
  if (held.kind === 'pause') return { kind: 'paused', pause: held.pause };
  return held.kind === 'end' ? { kind: 'failed', error: held.error } : { kind: 'lost' };
};

const roomOf = ({ limits: { coldWindow, window } }: Deps, { inHand }: Work): Window => {
  const cold = [...inHand.values()].filter(({ part }) => part !== null).length;
  return { cold: Math.max(coldWindow - cold, 0), cached: window - inHand.size };
};

/** Whether a claim is worth its costs. */
const mayClaim = (deps: Deps, work: Work): boolean =>
  work.stopping === null && (work.inHand.size === 0 || roomOf(deps, work).cold >= deps.limits.coldClaim);

/** Takes as many rows as there is room for; holds the credits for them first. */
const claim = async (deps: Deps, work: Work): Promise<void> => {
  if (work.needsCredits) {
    const held = await holdCredits(deps, work.job, work.run, work.task);
    if (held.kind !== 'held') {
      work.stopping = stoppedBy(held);
      if (held.kind === 'lost') work.inHand.clear();
      return;
    }
    work.needsCredits = false;
  }
  takeUp(work, await claimRows(deps.db, work.run, roomOf(deps, work), deps.now()));
  crashPoint('job-rows-claimed');
};

/** While the platform does not fail, nothing depends on it. */
const calm = { rowsLeft: 0, isAnswered: true };
const stateOfRows = async (db: Deps['db'], jobId: string): Promise<typeof calm> => ({
  rowsLeft: await countLeft(db, jobId),
  isAnswered: await isAnswered(db, jobId),
});

/** Pays for what was delivered, then saves what became of the rows: after a death, both are repeated with the same result. */
const end = async (deps: Deps, work: Work, ended: readonly Ended[]): Promise<void> => {
  const { db, progress } = deps;
  const { run, task } = work;
  const { paid, isGone } = await settleRows(deps, run.jobId, ended, task);
  crashPoint('job-rows-settled');
  const { trouble } = work;
  const rows = isTroubled(ended, trouble) ? await stateOfRows(db, run.jobId) : calm;
  const judged = judge(ended, { paid, trouble, ...rows, now: deps.now() });
  const version = await saveOutcomes(db, run, judged, deps.now());
  crashPoint('job-rows-saved');
  if (version === null) {
    work.stopping = { kind: 'lost' };
    work.inHand.clear();
    return;
  }
  progress.tell(run.jobId, version);
  work.trouble = judged.trouble;
  if (judged.pause) work.stopping ??= { kind: 'paused', pause: judged.pause };
  work.needsCredits ||= isGone || judged.changes.some(({ isUnpaid }) => isUnpaid);
  for (const { row } of ended) work.inHand.delete(row.operationId);
  if (isGone) takeUp(work, await rowsInHand(db, run.jobId));
};

/** Works on a job's rows until nothing of it is in hand and nothing more is to be begun. */
export const workOnRows = async (deps: Deps, job: Job, run: Run, task: TaskContext): Promise<Stopped> => {
  const work: Work = {
    ...{ job, run, task, trouble: troubleOf(job), stopping: null, needsCredits: true },
    inHand: new Map(),
  };
  takeUp(work, await rowsInHand(deps.db, run.jobId));
  for (;;) {
    task.signal.throwIfAborted();
    if (mayClaim(deps, work)) await claim(deps, work);
    if (work.inHand.size === 0) return work.stopping ?? { kind: 'idle' };
    const ended = await askFetcher(deps, job, [...work.inHand.values()], deps.limits.fetchWaitMs, task);
    crashPoint('job-rows-fetched');
    if (ended.length > 0) await end(deps, work, ended);
  }
};

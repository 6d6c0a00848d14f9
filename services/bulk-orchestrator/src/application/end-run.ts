import type { ServiceError } from '@tds/contracts';
import { crashPoint, type TaskContext } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { JobEvent } from '../domain/job-state.ts';
import type { Pause } from '../domain/outcomes.ts';
import type { Tx } from '../store/database.ts';
import { numbersOfOne } from '../store/job-numbers.ts';
import { type Job, lockOwnRun, moveJob } from '../store/jobs.ts';
import { closeRounds, findRounds } from '../store/rounds.ts';
import { cancelPending, countLeft, nextDueAt, type Run } from '../store/rows.ts';
import { releaseRef } from './reserve-round.ts';
import { beginWork, tell } from './send-tasks.ts';

type Send = Parameters<Parameters<Deps['kit']['messaging']['transaction']>[1]>[1];

/** Ends the worker's task and moves its job, in one transaction; nothing where somebody else has the job by now. */
const leave = async (
  { db, kit, progress }: Deps,
  { jobId, runnerId }: Run,
  task: TaskContext,
  work: (tx: Tx, send: Send, job: Job) => Promise<Job | null>,
): Promise<void> => {
  const moved = await kit.messaging.transaction(db, async (tx: Tx, send) => {
    const job = await lockOwnRun(tx, jobId, runnerId);
    if (job === null) return null;
    await task.complete(tx);
    return work(tx, send, job);
  });
  if (moved === null) return;
  if (moved.finishedAt === null) progress.tell(jobId, moved.version);
  else progress.tellEnd(jobId, moved.version);
};

export const pauseRun = (deps: Deps, run: Run, { reason, resumeAt }: Pause, task: TaskContext) =>
  leave(deps, run, task, async (tx, send, job) => {
    const change = { pauseReason: reason, resumeAt, runnerId: null, taskId: null };
    const paused = await moveJob(tx, job, 'paused', change, deps.now());
    if (paused) await tell(tx, send, 'jobPaused', paused);
    return paused;
  });

/** Gives back what the job holds and has not used. */
const releaseRounds = async (deps: Deps, jobId: string, task: TaskContext): Promise<number[]> => {
  const rounds = await findRounds(deps.db, jobId);
  for (const { ref } of rounds) await releaseRef(deps, ref, task);
  crashPoint('job-released');
  return rounds.map(({ round }) => round);
};

/** Nothing is left to do. What is held is given back first, so that a job that has ended holds nothing. */
const finish = async (deps: Deps, run: Run, task: TaskContext): Promise<void> => {
  const { jobId } = run;
  const released = await releaseRounds(deps, jobId, task);
  await leave(deps, run, task, async (tx, send, job) => {
    await closeRounds(tx, jobId, released);
    const { counts } = await numbersOfOne(tx, jobId);
    const event: JobEvent = counts.cached + counts.fetched > 0 ? 'completed' : 'failed';
    const finishedAt = deps.now();
    const change = { finishedAt, closedAt: finishedAt, runnerId: null, taskId: null };
    const ended = await moveJob(tx, job, event, change, finishedAt);
    if (ended) await tell(tx, send, event === 'completed' ? 'jobCompleted' : 'jobFailed', ended);
    return ended;
  });
  crashPoint('job-finished');
};

/** The ledger will never hold anything for this account: what is left is not begun. */
export const failRun = async (deps: Deps, run: Run, { data }: ServiceError, task: TaskContext) => {
  const released = await releaseRounds(deps, run.jobId, task);
  await leave(deps, run, task, async (tx, send, job) => {
    await closeRounds(tx, run.jobId, released);
    await cancelPending(tx, run.jobId);
    const finishedAt = deps.now();
    const error = { errorClass: data.errorClass, code: data.code };
    const change = { error, finishedAt, closedAt: finishedAt, runnerId: null, taskId: null };
    const failed = await moveJob(tx, job, 'failed', change, finishedAt);
    if (failed) await tell(tx, send, 'jobFailed', failed);
    return failed;
  });
};

/** Waits for the next row that is due, as a task that is due then; or ends the job. */
export const finishOrWait = async (deps: Deps, run: Run, task: TaskContext): Promise<void> => {
  if ((await countLeft(deps.db, run.jobId)) === 0) return finish(deps, run, task);
  const dueAt = await nextDueAt(deps.db, run.jobId);
  const delayMs = Math.max((dueAt?.getTime() ?? 0) - deps.now().getTime(), 0);
  return leave(deps, run, task, async (tx, send, job) => {
    await beginWork(tx, send, job, delayMs);
    return null;
  });
};

import type { SqlExecutor } from '@tds/base';
import { LeaseLost, RetryLater } from '@tds/base';
import { errorText, ProcessEnds, sqlExecutor, withinTimeLimit } from '@tds/base/internals';
import type { Task } from '@tds/contracts';
import { crashPoint, type TaskContext } from '@tds/messaging';
import { observe, readMessageContext, type StoreRuntime, type TaskHandler } from '@tds/messaging/internals';
import type { ClaimedTask } from './claim-tasks.ts';
import { buryTask, completeTask, type NextAttempt, releaseTasks, retryTask } from './task-rows.ts';

type TaskRun = {
  readonly task: Task;
  readonly handler: TaskHandler;
  readonly row: ClaimedTask;
  readonly signal: AbortSignal;
};

/** Waits grow a little, so that tasks that failed together do not return together; they never shrink. */
const JITTER = 0.1;

const requireLease = async (row: ClaimedTask, change: Promise<boolean>): Promise<void> => {
  if (!(await change)) throw new LeaseLost(row.id);
};

/** Runs the handler; completes the task unless the handler did so in a transaction of its own. */
const attempt = async (runtime: StoreRuntime, { task, handler, row, signal }: TaskRun): Promise<void> => {
  const { service, log, metrics, pool } = runtime;
  const messageContext = readMessageContext(row.headers);
  const onEnd = (outcome: string, seconds: number) =>
    metrics.taskDuration.observe({ name: task.wireName, outcome }, seconds);
  let isEnded = false;
  const endIn = async (change: Promise<boolean>) => {
    await requireLease(row, change);
    isEnded = true;
  };
  await observe(
    { kind: 'task', name: task.wireName, service, messageContext, span: 'consumer', log, onEnd },
    async (record) => {
      record.add({ taskId: row.id, attempt: row.attempt });
      const { requestId, accountId } = messageContext;
      const context: TaskContext = {
        ...{ requestId, accountId, signal, record },
        taskId: row.id,
        attempt: row.attempt,
        isLastAttempt: row.attempt > task.backoffMs.length,
        complete: (tx: SqlExecutor) => endIn(completeTask(tx, row)),
      };
      try {
        await withinTimeLimit(task, signal, (limited) =>
          handler(task.payload.parse(row.payload), { ...context, signal: limited }),
        );
      } catch (error) {
        // Replaces the error that the handler made of being cut off.
        throw runtime.ending.aborted && !(error instanceof LeaseLost) ? new ProcessEnds() : error;
      }
      crashPoint('task-handled');
      if (!isEnded) await requireLease(row, completeTask(sqlExecutor(pool), row));
      crashPoint('task-completed');
    },
  );
};

const countLoss = ({ metrics }: StoreRuntime, { task }: TaskRun): void =>
  metrics.leasesLost.inc({ name: task.wireName });

/** Leaves a dead letter, unless another worker has taken the task over; either is counted. */
const bury = async (runtime: StoreRuntime, run: TaskRun, reason: string): Promise<void> => {
  const { pool, metrics } = runtime;
  const isBuried = await buryTask(sqlExecutor(pool), run.row, reason);
  if (isBuried) metrics.deadLetters.inc({ source: run.task.wireName });
  else countLoss(runtime, run);
};

/** When it is tried again; undefined after the last attempt. */
const nextAttempt = ({ task, row }: TaskRun, error: unknown): NextAttempt | undefined => {
  const backoffMs = task.backoffMs[row.attempt - 1];
  const isCounted = !(error instanceof RetryLater) || error.isAttempt;
  if (isCounted && backoffMs === undefined) return undefined;
  const pauseMs = error instanceof RetryLater ? error.afterMs : (backoffMs ?? 0);
  return { afterMs: pauseMs * (1 + Math.random() * JITTER), error: errorText(error), isCounted };
};

/** Saves a failure: another attempt later, or after the last one a dead letter; nothing if the lease is lost. */
const saveFailure = async (
  runtime: StoreRuntime,
  run: TaskRun,
  error: unknown,
): Promise<number | undefined> => {
  const next = nextAttempt(run, error);
  if (!next) {
    await bury(runtime, run, errorText(error));
    return undefined;
  }
  const isSaved = await retryTask(sqlExecutor(runtime.pool), run.row, next);
  crashPoint('task-failure-recorded', run.task.wireName);
  if (isSaved) return next.afterMs;
  countLoss(runtime, run);
  return undefined;
};

/**
 * One attempt of a claimed task, to its end. Resolves to the wait before the next attempt, if there is one. Throws only if the outcome
 * could not be saved: then the lease runs out.
 */
export const runTask = async (runtime: StoreRuntime, run: TaskRun): Promise<number | undefined> => {
  const { row, task } = run;
  crashPoint('task-claimed', task.wireName);
  runtime.metrics.taskLag.observe({ name: task.wireName }, row.lagMs / 1_000);
  const attempts = task.backoffMs.length + 1;
  try {
    if (row.attempt <= attempts) await attempt(runtime, run);
    else
      await bury(runtime, run, `all ${attempts} attempts have begun, and the worker of the last one was lost`);
  } catch (error) {
    if (error instanceof ProcessEnds) await releaseTasks(runtime.pool, [row]);
    else if (error instanceof LeaseLost) countLoss(runtime, run);
    else return saveFailure(runtime, run, error);
  }
  return undefined;
};

import type { SqlExecutor } from '@tds/base';
import { LeaseLost, RetryLater } from '@tds/base';
import { errorText, NoAttemptLeft, ProcessEnds, sqlExecutor, withinTimeLimit } from '@tds/base/internals';
import type { Task } from '@tds/contracts';
import { crashPoint, type TaskContext } from '@tds/messaging';
import { observe, readMessageContext, type StoreRuntime, type TaskHandler } from '@tds/messaging/internals';
import type { Pool } from 'pg';
import type { ClaimedTask } from './claim-tasks.ts';
import {
  beginEffect,
  buryTask,
  completeTask,
  type NextAttempt,
  releaseTasks,
  retryTask,
  takeBackLoss,
} from './task-rows.ts';

/** The effect of an attempt outside the database. */
type Effect = {
  begin(): Promise<void>;
  hasBegun(): boolean;
};

export const createEffect = (
  pool: Pool,
  { task, claimed }: { readonly task: Task; readonly claimed: ClaimedTask },
): Effect => {
  const attempts = task.backoffMs.length + 1;
  let hasBegun = false;
  return {
    hasBegun: () => hasBegun,
    begin: async () => {
      if (hasBegun) throw new Error(`${task.wireName} has begun its effect already in this attempt`);
      if (claimed.attempt > attempts) throw new NoAttemptLeft(attempts);
      // Before it is saved: a connection that breaks may have saved it.
      hasBegun = true;
      if (!(await beginEffect(sqlExecutor(pool), claimed))) throw new LeaseLost(claimed.id);
      crashPoint('effect-begun');
    },
  };
};

type TaskRun = {
  readonly task: Task;
  readonly handler: TaskHandler;
  readonly claimed: ClaimedTask;
  readonly signal: AbortSignal;
};

/** More vanished workers than this, and the task itself is taken for what kills them. */
const MAX_LOST_LEASES = 20;
/** Waits grow a little, so that tasks that failed together do not return together; they never shrink. */
const JITTER = 0.1;

/** The outcome of the attempt: `retryAfterMs` if it will be repeated. */
export type TaskEnd = { readonly retryAfterMs?: number };

const fenced = async (claimed: ClaimedTask, change: Promise<boolean>): Promise<void> => {
  if (!(await change)) throw new LeaseLost(claimed.id);
};

/** Runs the handler; completes the task unless the handler did so in a transaction of its own. */
const attempt = async (
  runtime: StoreRuntime,
  { task, handler, claimed, signal }: TaskRun,
  effect: Effect,
): Promise<void> => {
  const { service, log, metrics, pool } = runtime;
  const messageContext = readMessageContext(claimed.headers);
  const onEnd = (outcome: string, seconds: number) =>
    metrics.taskDuration.observe({ name: task.wireName, outcome }, seconds);
  let ended = false;
  const endIn = async (change: Promise<boolean>) => {
    await fenced(claimed, change);
    ended = true;
  };
  await observe(
    { kind: 'task', name: task.wireName, service, messageContext, span: 'consumer', log, onEnd },
    async (record) => {
      record.add({ taskId: claimed.id, attempt: claimed.attempt });
      const { requestId, accountId } = messageContext;
      const context: TaskContext = {
        ...{ requestId, accountId, signal, record },
        taskId: claimed.id,
        attempt: claimed.attempt,
        isLastAttempt: claimed.attempt > task.backoffMs.length,
        beginEffect: effect.begin,
        complete: (tx: SqlExecutor) => endIn(completeTask(tx, claimed)),
      };
      try {
        await withinTimeLimit(task, signal, (limited) =>
          handler(task.payload.parse(claimed.payload), { ...context, signal: limited }),
        );
      } catch (error) {
        // Replaces the error that the handler made of being cut off.
        throw runtime.ending.aborted && !(error instanceof LeaseLost) ? new ProcessEnds() : error;
      }
      crashPoint('task-handled');
      if (!ended) await fenced(claimed, completeTask(sqlExecutor(pool), claimed));
      crashPoint('task-completed');
    },
  );
};

const countLoss = async ({ pool, metrics }: StoreRuntime, { task, claimed }: TaskRun): Promise<void> => {
  metrics.leasesLost.inc({ name: task.wireName });
  await takeBackLoss(sqlExecutor(pool), claimed);
};

/** Leaves a dead letter, unless another worker has taken the task over; either is counted. */
const bury = async (runtime: StoreRuntime, run: TaskRun, reason: string): Promise<void> => {
  const { pool, metrics } = runtime;
  const buried = await buryTask(sqlExecutor(pool), run.claimed, reason);
  if (buried) metrics.deadLetters.inc({ source: run.task.wireName });
  else await countLoss(runtime, run);
};

/** When it is tried again; undefined after the last attempt. */
const nextAttempt = (
  { task, claimed }: TaskRun,
  { error, effect }: { error: unknown; effect: Effect },
): NextAttempt | undefined => {
  const backoffMs = task.backoffMs[claimed.attempt - 1];
  const isCounted = !(error instanceof RetryLater) || error.isAttempt || effect.hasBegun();
  if (isCounted && backoffMs === undefined) return undefined;
  const pauseMs = error instanceof RetryLater ? error.afterMs : (backoffMs ?? 0);
  return { afterMs: pauseMs * (1 + Math.random() * JITTER), error: errorText(error), isCounted };
};

/** Saves a failure: another attempt later, or after the last one a dead letter; nothing if the lease is lost. */
const saveFailure = async (
  runtime: StoreRuntime,
  run: TaskRun,
  failure: { error: unknown; effect: Effect },
): Promise<TaskEnd> => {
  const next = nextAttempt(run, failure);
  if (!next) {
    await bury(runtime, run, errorText(failure.error));
    return {};
  }
  const saved = await retryTask(sqlExecutor(runtime.pool), run.claimed, next);
  crashPoint('task-failure-recorded');
  if (saved) return { retryAfterMs: next.afterMs };
  await countLoss(runtime, run);
  return {};
};

/** One attempt of a claimed task, to its end. Throws only if the outcome could not be saved: then the lease runs out. */
export const runTask = async (runtime: StoreRuntime, run: TaskRun): Promise<TaskEnd> => {
  const { claimed } = run;
  if (claimed.lostLeases > MAX_LOST_LEASES) {
    const reason = `${claimed.lostLeases} workers were lost while they held it`;
    await bury(runtime, run, reason);
    return {};
  }
  const effect = createEffect(runtime.pool, run);
  try {
    await attempt(runtime, run, effect);
    return {};
  } catch (error) {
    if (error instanceof ProcessEnds) {
      await releaseTasks(runtime.pool, [claimed]);
      return {};
    }
    if (!(error instanceof LeaseLost)) return saveFailure(runtime, run, { error, effect });
    await countLoss(runtime, run);
    return {};
  }
};

import { failureFields } from '@tds/base';
import { createSemaphore } from '@tds/base/internals';
import type { Task } from '@tds/contracts';
import { crashPoint } from '@tds/messaging';
import type { StoreRuntime, TaskHandler } from '@tds/messaging/internals';
import type { ClaimedTask } from './claim-tasks.ts';
import { runTask, type TaskEnd } from './run-task.ts';
import { releaseTasks, renewTasks } from './task-rows.ts';

type Running = {
  readonly claimed: ClaimedTask;
  readonly controller: AbortController;
  leaseEndsAt: number;
};

/** The tasks of one name that this process works on. */
export type WorkerPool = {
  readonly task: Task;
  free(): number;
  /** 0 while a slot is free; otherwise the time since an attempt began or ended. */
  heldForMs(): number;
  whenIdle(): Promise<void>;
  /** Works on a claimed task, also if no slot is free; resolves when the attempt has ended, and never rejects. */
  begin(claimed: ClaimedTask): Promise<void>;
  /** Ends the heartbeat and gives what is still leased back to the other instances. */
  release(): Promise<void>;
};

export type WorkerPools = ReadonlyMap<string, WorkerPool>;

type WorkerPoolOptions = {
  readonly runtime: StoreRuntime;
  readonly task: Task;
  readonly handler: TaskHandler;
  /** After each attempt: there is room again, and perhaps a next attempt to come. */
  readonly onEnd: (end: TaskEnd & { readonly isPartitioned?: boolean }) => void;
};

/** Prolongs all leases of a pool; the handler whose lease is gone, or could not be prolonged in time, is aborted. */
const renewAll = async (
  { runtime, task }: WorkerPoolOptions,
  running: ReadonlySet<Running>,
): Promise<void> => {
  const leased = [...running].filter((run) => !run.controller.signal.aborted);
  if (leased.length === 0) return;
  const startedAt = performance.now();
  const claims = leased.map(({ claimed }) => claimed);
  const stillLeased = await renewTasks(runtime.pool, claims, task.leaseMs).catch((error) => {
    runtime.log.warn('leases could not be prolonged', { task: task.wireName, ...failureFields(error) });
    return undefined;
  });
  for (const run of leased) {
    if (stillLeased?.has(run.claimed.id)) run.leaseEndsAt = startedAt + task.leaseMs;
    else if (stillLeased || performance.now() > run.leaseEndsAt)
      run.controller.abort(new Error('the lease is lost'));
  }
};

/** Renews the leases of attempts while any is running: a timer of an idle service would only wake it. */
const createHeartbeat = (options: WorkerPoolOptions, running: Set<Running>) => {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const beat = (): void => {
    if (running.size === 0) stop();
    else void renewAll(options, running);
  };
  const start = (): void => {
    timer ??= setInterval(beat, options.task.leaseMs / 3).unref();
  };
  return { start, stop };
};

/** Runs attempts in slots, and keeps their leases alive. */
const createRunner = (options: WorkerPoolOptions) => {
  const { runtime, task, handler, onEnd } = options;
  const running = new Set<Running>();
  const heartbeat = createHeartbeat(options, running);
  let changedAt = performance.now();
  runtime.ending.addEventListener('abort', () => {
    for (const run of running) run.controller.abort(runtime.ending.reason);
  });
  const work = async ({ claimed, controller: { signal } }: Running): Promise<TaskEnd> => {
    try {
      return await runTask(runtime, { task, handler, claimed, signal });
    } catch (error) {
      runtime.log.error('the end of a task could not be saved; its lease runs out', {
        task: task.wireName,
        ...failureFields(error),
      });
      return {};
    }
  };
  return {
    unchangedForMs: () => performance.now() - changedAt,
    /** Takes over the slot: `leave` gives it back when the attempt has ended. */
    start: (claimed: ClaimedTask, leaseEndsAt: number, leave: () => void): Promise<void> => {
      const begunAt = performance.now();
      const run = { claimed, controller: new AbortController(), leaseEndsAt };
      running.add(run);
      heartbeat.start();
      changedAt = begunAt;
      crashPoint('task-claimed');
      runtime.metrics.taskLag.observe({ name: task.wireName }, claimed.lagMs / 1_000);
      return work(run).then((end) => {
        running.delete(run);
        changedAt = performance.now();
        leave();
        onEnd({ ...end, isPartitioned: claimed.isPartitioned });
      });
    },
    release: async (): Promise<void> => {
      heartbeat.stop();
      await releaseTasks(
        runtime.pool,
        Array.from(running, ({ claimed }) => claimed),
      );
    },
  };
};

export const createWorkerPool = (options: WorkerPoolOptions): WorkerPool => {
  const { task } = options;
  const slots = createSemaphore(task.concurrency);
  const { start, release, unchangedForMs } = createRunner(options);
  return {
    task,
    release,
    free: slots.free,
    heldForMs: () => (slots.free() > 0 ? 0 : unchangedForMs()),
    whenIdle: slots.whenIdle,
    begin: (claimed) => start(claimed, performance.now() + task.leaseMs, slots.take()),
  };
};

import type { Task } from '@tds/contracts';
import { createSlots } from '../bus/slots.ts';
import { failureFields } from '../errors/failure-fields.ts';
import { crashPoint } from '../run/crash-points.ts';
import type { StoreRuntime } from '../run/runtime.ts';
import type { Places } from './places.ts';
import { runTask, type TaskEnd, type TaskHandler } from './run-task.ts';
import { type ClaimedTask, releaseTasks, renewTasks } from './task-rows.ts';

type Running = { readonly claimed: ClaimedTask; readonly controller: AbortController; leaseEndsAt: number };

/** The tasks of one name that this process works on. */
export type Lane = {
  readonly task: Task;
  free(): number;
  whenFree(): Promise<void>;
  whenIdle(): Promise<void>;
  /** Works on a claimed task; never throws. */
  begin(claimed: ClaimedTask): void;
  /** Takes up to `most` places for tasks that are about to be saved. */
  reserve(most: number): Places;
  /** Ends the heartbeat and gives what is still held back to the other instances. */
  release(): Promise<void>;
};

export type LaneOptions = {
  readonly runtime: StoreRuntime;
  readonly task: Task;
  readonly handler: TaskHandler;
  /** After each attempt: there is room again, and perhaps a next attempt to come. */
  readonly onEnd: (end: TaskEnd) => void;
};

/** Prolongs all leases of a lane; a lease that is gone, or that could not be prolonged in time, ends its handler. */
const renewAll = async ({ runtime, task }: LaneOptions, running: ReadonlySet<Running>): Promise<void> => {
  const held = [...running].filter((run) => !run.controller.signal.aborted);
  if (held.length === 0) return;
  const startedAt = performance.now();
  const claims = held.map((run) => run.claimed);
  const stillHeld = await renewTasks(runtime.pool, claims, task.leaseMs).catch((error) => {
    runtime.log.warn('leases could not be prolonged', { task: task.wireName, ...failureFields(error) });
    return undefined;
  });
  for (const run of held) {
    if (stillHeld?.has(run.claimed.id)) run.leaseEndsAt = startedAt + task.leaseMs;
    else if (stillHeld || performance.now() > run.leaseEndsAt)
      run.controller.abort(new Error('the lease is lost'));
  }
};

export const createLane = (options: LaneOptions): Lane => {
  const { runtime, task, handler, onEnd } = options;
  const running = new Set<Running>();
  const slots = createSlots(task.concurrency);
  const heartbeat = setInterval(() => void renewAll(options, running), task.leaseMs / 3);
  heartbeat.unref();
  runtime.ending.addEventListener('abort', () => {
    for (const run of running) run.controller.abort(runtime.ending.reason);
  });

  const work = async (run: Running): Promise<TaskEnd> => {
    try {
      return await runTask(runtime, { task, handler, claimed: run.claimed, signal: run.controller.signal });
    } catch (error) {
      runtime.log.error('the end of a task could not be saved; its lease runs out', {
        task: task.wireName,
        ...failureFields(error),
      });
      return {};
    } finally {
      running.delete(run);
    }
  };

  const start = (run: Running, leave: () => void): void => {
    running.add(run);
    crashPoint('task-claimed');
    runtime.metrics.taskLag.observe({ name: task.wireName }, run.claimed.lagMs / 1_000);
    void work(run).then((end) => {
      leave();
      onEnd(end);
    });
  };
  const reserve = (most: number): Places => {
    const reservedAt = performance.now();
    const leaving = Array.from({ length: Math.max(0, Math.min(most, slots.free())) }, slots.take);
    return {
      count: leaving.length,
      leaseMs: task.leaseMs,
      begin: (saved) => {
        const leave = leaving.pop();
        if (!leave) throw new Error(`there is no place for task ${saved.id}`);
        const lagMs = performance.now() - reservedAt;
        const claimed = { ...saved, name: task.wireName, attempt: 1, lostLeases: 0, epoch: '1', lagMs };
        // The row's lease began a little later.
        const leaseEndsAt = reservedAt + task.leaseMs;
        start({ claimed, controller: new AbortController(), leaseEndsAt }, leave);
      },
      giveBack: () => {
        if (leaving.length === 0) return;
        for (const leave of leaving.splice(0)) leave();
        onEnd({});
      },
    };
  };

  return {
    task,
    reserve,
    free: slots.free,
    whenFree: slots.whenFree,
    whenIdle: slots.whenIdle,
    begin: (claimed) => {
      const leaseEndsAt = performance.now() + task.leaseMs;
      start({ claimed, controller: new AbortController(), leaseEndsAt }, slots.take());
    },
    release: async () => {
      clearInterval(heartbeat);
      const held = [...running].map((run) => run.claimed);
      await releaseTasks(runtime.pool, held);
    },
  };
};

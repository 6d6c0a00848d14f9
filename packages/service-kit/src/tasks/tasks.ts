import type { Task } from '@tds/contracts';
import type { StoreRuntime, Worker } from '../run/runtime.ts';
import { receiveHints, sendHints } from './hints.ts';
import { createLane, type Lane } from './lane.ts';
import { noPlaces, type Places } from './places.ts';
import type { TaskHandler } from './run-task.ts';
import { createTaskWorker, type TaskWorker } from './worker.ts';

export type TaskHandlers = Readonly<Record<string, TaskHandler>>;

export type Tasks = Worker & {
  /** Takes up to `most` places for tasks of this name that are about to be saved; fewer or none where others come first. */
  reserve(name: string, most: number): Places;
  /** After a commit that enqueued these, beside those that begin in reserved places. */
  enqueued(dueInMs: readonly (readonly [name: string, delayMs: number])[]): void;
  wakeAll(): void;
  /** Gives back what is still held; after `stop` took too long. */
  release(): Promise<void>;
};

/** Works here on what is due now, as far as there is room; what goes beyond, others are told of. */
const spread = (
  runtime: StoreRuntime,
  worker: TaskWorker,
  lanes: ReadonlyMap<string, Lane>,
): Tasks['enqueued'] => {
  const tell = (name: string, dueNow: number) => {
    const lane = lanes.get(name);
    const excess = lane ? dueNow - lane.free() : 0;
    if (lane && excess > 0) sendHints(runtime, lane.task, excess);
    worker.wake(name);
  };
  return (dueInMs) => {
    const dueNow = new Map<string, number>();
    for (const [name, delayMs] of dueInMs) {
      if (delayMs > 0) worker.wakeIn(name, delayMs);
      else dueNow.set(name, (dueNow.get(name) ?? 0) + 1);
    }
    for (const [name, count] of dueNow) tell(name, count);
  };
};

/** Does the surface's tasks: rows are the truth, wakes, hints and timers make it quick, the sweep makes it certain. */
export const startTasks = (runtime: StoreRuntime, tasks: readonly Task[], handlers: TaskHandlers): Tasks => {
  const lanes = new Map<string, Lane>();
  const worker = createTaskWorker(runtime, lanes);
  for (const task of tasks) {
    const handler = handlers[task.name];
    if (!handler) throw new Error(`${runtime.service} has no handler for ${task.wireName}`);
    const lane = createLane({
      ...{ runtime, task, handler },
      onEnd: ({ retryAfterMs }) => {
        if (retryAfterMs !== undefined) worker.wakeIn(task.wireName, retryAfterMs);
        worker.hasRoom();
      },
    });
    lanes.set(task.wireName, lane);
  }
  const receivers = [...lanes.values()].map((lane) =>
    receiveHints(runtime, { task: lane.task, room: lane, onHint: () => worker.wake(lane.task.wireName) }),
  );
  worker.wakeAll();
  return {
    reserve: (name, most) => {
      const lane = lanes.get(name);
      return lane && worker.mayHold(name) ? lane.reserve(most) : noPlaces;
    },
    enqueued: spread(runtime, worker, lanes),
    wakeAll: worker.wakeAll,
    stop: async () => {
      await Promise.all([worker.stop(), ...receivers.map((receiver) => receiver.stop())]);
      await Promise.all([...lanes.values()].map((lane) => lane.whenIdle()));
    },
    release: async () => void (await Promise.all([...lanes.values()].map((lane) => lane.release()))),
  };
};

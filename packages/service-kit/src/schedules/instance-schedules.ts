import { pauseFor } from '../async/backoff.ts';
import type { Runtime, Worker } from '../runtime/runtime.ts';
import { observeRun, type ScheduleHandler, type ScheduleHandlers } from './observe-run.ts';

export type InstanceSchedules = Readonly<Record<string, { readonly everySeconds: number }>>;

/** Instances that were started together do not stay together. */
const JITTER = 0.1;

/**
 * Runs on this instance whatever the others do: when it starts, and then a period after each run has ended. Nothing is
 * saved; an error is logged, and the next run comes as usual.
 */
export const startInstanceSchedules = (
  runtime: Runtime,
  schedules: InstanceSchedules,
  handlers: ScheduleHandlers,
): Worker => {
  const stopping = new AbortController();
  const loop = async (name: string, handler: ScheduleHandler, everySeconds: number): Promise<void> => {
    while (!stopping.signal.aborted) {
      const run = observeRun(runtime, { name, handler, signal: runtime.ending });
      // Its record tells what went wrong.
      const failing = await run.then(() => 0).catch(() => 1);
      runtime.metrics.scheduleFailing.set({ name }, failing);
      await pauseFor(everySeconds * 1_000 * (1 - JITTER * Math.random()), stopping.signal);
    }
  };
  const loops = Object.entries(schedules).map(([name, { everySeconds }]) => {
    const handler = handlers[name];
    if (!handler) throw new Error(`${runtime.service} has no handler for ${name}`);
    return loop(name, handler, everySeconds);
  });
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
};

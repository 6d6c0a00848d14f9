import type { Runtime, Worker } from '../runtime/runtime.ts';
import type { InstanceSchedules } from './instance-schedules.ts';
import { observeRun, type ScheduleHandlers } from './observe-run.ts';

/** By the name of the schedule: a query of when the first of its rows is due, each through an index. */
export type DueQuestions = ReadonlyMap<string, string>;

export type DueWork = Worker & {
  readonly questions: readonly string[];
  /** By a look: in the order of the questions. */
  found(found: { readonly atMs: number; readonly dueMs: readonly (number | null)[] }): void;
};

/** Runs on this instance what a look has found to be due, one run at a time and a period after the one before; an error is logged. */
export const startWhenDue = (
  runtime: Runtime,
  schedules: InstanceSchedules,
  { questions, handlers }: { readonly questions: DueQuestions; readonly handlers: ScheduleHandlers },
): DueWork => {
  const running = new Map<string, Promise<void>>();
  const notBefore = new Map<string, number>();
  const asked = Object.entries(schedules).map(([name, { everySeconds }]) => {
    const [question, handler] = [questions.get(name), handlers[name]];
    if (question === undefined || !handler) throw new Error(`nobody says when ${name} is due`);
    return { name, question, handler, everyMs: everySeconds * 1_000 };
  });
  const run = async ({ name, handler, everyMs }: (typeof asked)[number]): Promise<void> => {
    // Its record tells what went wrong.
    const isFailing = await observeRun(runtime, { name, handler, signal: runtime.ending }).then(
      () => false,
      () => true,
    );
    notBefore.set(name, performance.now() + everyMs);
    runtime.metrics.scheduleFailing.set({ name }, isFailing ? 1 : 0);
    running.delete(name);
  };
  return {
    questions: asked.map(({ question }) => question),
    found: ({ atMs, dueMs }) => {
      asked.forEach((each, place) => {
        const isDue = (dueMs[place] ?? Number.POSITIVE_INFINITY) <= atMs;
        if (!isDue || running.has(each.name) || performance.now() < (notBefore.get(each.name) ?? 0)) return;
        running.set(each.name, run(each));
      });
    },
    stop: async () => void (await Promise.all(running.values())),
  };
};

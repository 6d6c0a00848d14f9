import { DRAIN_MS } from '../db/drain-due.ts';
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

type Run = { readonly beganAt: number; readonly ended: Promise<void> };

/**
 * Runs on this instance what a look has found to be due, a period after the run before; an error is logged. One run at a time takes rows:
 * the next one begins beside one that only ends what it has in hand.
 */
export const startWhenDue = (
  runtime: Runtime,
  schedules: InstanceSchedules,
  {
    questions,
    handlers,
    clock = () => performance.now(),
  }: {
    readonly questions: DueQuestions;
    readonly handlers: ScheduleHandlers;
    readonly clock?: () => number;
  },
): DueWork => {
  const running = new Map<string, readonly Run[]>();
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
    notBefore.set(name, clock() + everyMs);
    runtime.metrics.scheduleFailing.set({ name }, isFailing ? 1 : 0);
  };
  const begin = (each: (typeof asked)[number]): void => {
    const others = () => (running.get(each.name) ?? []).filter((other) => other !== begun);
    const ended = run(each).finally(() => void running.set(each.name, others()));
    const begun: Run = { beganAt: clock(), ended };
    running.set(each.name, [...others(), begun]);
  };
  const isTaking = (name: string): boolean =>
    (running.get(name) ?? []).some(({ beganAt }) => clock() - beganAt < DRAIN_MS);
  return {
    questions: asked.map(({ question }) => question),
    found: ({ atMs, dueMs }) => {
      asked.forEach((each, place) => {
        const isDue = (dueMs[place] ?? Number.POSITIVE_INFINITY) <= atMs;
        if (isDue && !isTaking(each.name) && clock() >= (notBefore.get(each.name) ?? 0)) begin(each);
      });
    },
    stop: async () => void (await Promise.all([...running.values()].flat().map(({ ended }) => ended))),
  };
};

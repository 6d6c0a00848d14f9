import { randomUUID } from 'node:crypto';
import { pauseFor } from '@tds/base/internals';
import type { Context } from '@tds/messaging';
import { observe, type Runtime, type Worker } from '@tds/messaging/internals';
import { DRAIN_MS } from '../due-rows.ts';

export type ScheduleHandler = (context: Context) => Promise<void>;
export type ScheduleHandlers = Readonly<Record<string, ScheduleHandler>>;

type Run = { readonly name: string; readonly handler: ScheduleHandler; readonly signal: AbortSignal };

/** One run of a schedule: a request of its own, with its span and its wide record. */
export const observeRun = ({ service, log }: Runtime, { name, handler, signal }: Run): Promise<void> => {
  const messageContext = { requestId: randomUUID(), accountId: null, traceparent: undefined };
  const { requestId, accountId } = messageContext;
  return observe({ kind: 'schedule', name, service, messageContext, span: 'internal', log }, async (record) =>
    handler({ requestId, accountId, signal, record }),
  );
};

export type InstanceSchedules = Readonly<Record<string, { readonly everySeconds: number }>>;

/** Instances that were started together do not stay together. */
const JITTER = 0.1;

/**
 * Runs on this instance, independently of the others: when it starts, and then a period after each run has ended. Nothing is
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
      // Its record has the error.
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

/** By the name of the schedule: a query of when the first of its rows is due, each through an index. */
export type DueQuestions = ReadonlyMap<string, string>;

export type DueWork = Worker & {
  readonly questions: readonly string[];
  /** By a poll: in the order of the questions. */
  found(found: { readonly atMs: number; readonly dueMs: readonly (number | null)[] }): void;
};

type RunWhenDue = { readonly beganAt: number; readonly ended: Promise<void> };

/**
 * Runs on this instance what a poll has found to be due, a period after the run before; an error is logged. One run at a time takes rows:
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
  const running = new Map<string, readonly RunWhenDue[]>();
  const notBefore = new Map<string, number>();
  const asked = Object.entries(schedules).map(([name, { everySeconds }]) => {
    const [question, handler] = [questions.get(name), handlers[name]];
    if (question === undefined || !handler) throw new Error(`no question says when ${name} is due`);
    return { name, question, handler, everyMs: everySeconds * 1_000 };
  });
  const run = async ({ name, handler, everyMs }: (typeof asked)[number]): Promise<void> => {
    // Its record has the error.
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
    const begun: RunWhenDue = { beganAt: clock(), ended };
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

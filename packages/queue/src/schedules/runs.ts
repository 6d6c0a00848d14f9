import { randomUUID } from 'node:crypto';
import { errorText, pauseFor } from '@tds/base/internals';
import type { Context } from '@tds/messaging';
import { observe, type Runtime, type Worker } from '@tds/messaging/internals';
import { DRAIN_MS } from '../drain-due.ts';
import type { PollTarget } from '../leases.ts';

type ScheduleHandler = (context: Context) => Promise<void>;
export type ScheduleHandlers = Readonly<Record<string, ScheduleHandler>>;

type Run = { readonly name: string; readonly handler: ScheduleHandler; readonly signal: AbortSignal };

/** One run of a schedule: a request of its own, with its span and its wide record. Resolves to its error, which the record has. */
export const observeRun = (
  { service, log }: Runtime,
  { name, handler, signal }: Run,
): Promise<string | null> => {
  const messageContext = { requestId: randomUUID(), accountId: null, traceparent: undefined };
  const { requestId, accountId } = messageContext;
  return observe({ kind: 'schedule', name, service, messageContext, span: 'internal', log }, async (record) =>
    handler({ requestId, accountId, signal, record }),
  ).then(() => null, errorText);
};

type InstanceSchedules = Readonly<Record<string, { readonly everySeconds: number }>>;

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
      const error = await observeRun(runtime, { name, handler, signal: runtime.ending });
      runtime.metrics.scheduleFailing.set({ name }, error === null ? 0 : 1);
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

type RunWhenDue = { readonly beganAt: number; readonly ended: Promise<void> };

type WhenDue = Pick<PollTarget, 'firstDue'> & {
  readonly name: string;
  readonly everySeconds: number;
  readonly handler: ScheduleHandler;
};

/**
 * Runs on this instance what a poll has found to be due, a period after the run before; an error is logged. One run at a time takes rows:
 * the next one begins beside one that only ends what it has in hand.
 */
export const runWhenDue = (
  runtime: Runtime,
  { name, everySeconds, firstDue, handler }: WhenDue,
  clock = () => performance.now(),
): PollTarget => {
  let running: readonly RunWhenDue[] = [];
  let notBefore = 0;
  const run = async (): Promise<void> => {
    const error = await observeRun(runtime, { name, handler, signal: runtime.ending });
    notBefore = clock() + everySeconds * 1_000;
    runtime.metrics.scheduleFailing.set({ name }, error === null ? 0 : 1);
  };
  const begin = (): void => {
    const ended = run().finally(() => {
      running = running.filter((other) => other !== current);
    });
    const current: RunWhenDue = { beganAt: clock(), ended };
    running = [...running, current];
  };
  const isTaking = (): boolean => running.some(({ beganAt }) => clock() - beganAt < DRAIN_MS);
  return {
    firstDue,
    onPoll: (isDue) => {
      if (isDue && !isTaking() && clock() >= notBefore) begin();
    },
    ended: async () => void (await Promise.all(running.map(({ ended }) => ended))),
  };
};

import { crashPoint } from '@tds/messaging';
import type { StoreRuntime } from '@tds/messaging/internals';
import type { PollTarget } from '../leases.ts';
import { createWorkerPool, type WorkerPool } from '../worker-pool.ts';
import { observeRun, type ScheduleHandlers } from './runs.ts';
import {
  type ClaimedSchedule,
  claimSchedules,
  finishSchedule,
  firstScheduleSql,
  registerSchedules,
  releaseSchedules,
  renewSchedules,
} from './schedule-rows.ts';

const MIN_LEASE_MS = 3_000;
const MAX_LEASE_MS = 30_000;

/** A dead instance's schedule is taken over after one period, or 30 s if periods are longer. */
const leaseFor = (everySeconds: number): number =>
  Math.min(Math.max(everySeconds * 1_000, MIN_LEASE_MS), MAX_LEASE_MS);

type Period = {
  readonly everySeconds: number;
  /** Also due when a process starts, and after database or broker were unreachable, because they may have been restored. */
  readonly alsoOnConnect?: boolean;
};
export type Schedules = Readonly<Record<string, Period>>;

/** Runs one schedule at a time; an error is logged and the next period comes as usual. */
const createRuns = (
  runtime: StoreRuntime,
  { name, everySeconds, leaseMs }: { name: string; everySeconds: number; leaseMs: number },
  handlers: ScheduleHandlers,
): WorkerPool<ClaimedSchedule> => {
  const { pool, service } = runtime;
  const handler = handlers[name];
  if (!handler) throw new Error(`${service} has no handler for ${name}`);
  return createWorkerPool<ClaimedSchedule>(runtime, {
    ...{ name, leaseMs, concurrency: 1 },
    renew: (claimed) => renewSchedules(pool, claimed, leaseMs),
    work: async (claimed, signal) => {
      const error = await observeRun(runtime, { name, handler, signal });
      crashPoint('schedule-handled', name);
      await finishSchedule(pool, claimed, { everySeconds, error });
    },
  });
};

type ScheduleRuns = PollTarget & { readonly shortestPeriodMs: number };

/** Schedules the service by the database's clock: one instance per schedule and period, and once after missed periods. */
export const startSchedules = (
  runtime: StoreRuntime,
  periods: Schedules,
  handlers: ScheduleHandlers,
): ScheduleRuns => {
  const { pool, database, bus } = runtime;
  const schedules = Object.entries(periods).map(([name, { everySeconds, alsoOnConnect = false }]) => {
    return { name, everySeconds, alsoOnConnect, leaseMs: leaseFor(everySeconds) };
  });
  const names = schedules.map(({ name }) => name);
  const runs = new Map(schedules.map((each) => [each.name, createRuns(runtime, each, handlers)]));
  let isRegistered = false;
  const onAway = () => {
    isRegistered = false;
  };
  const onSwapped = async () => {
    onAway();
    await releaseSchedules(pool, names);
  };
  pool.on('error', onAway);
  const stopListening = [bus.onConnect(onAway), database.onSwap('schedules', onSwapped)];
  return {
    /** Infinity without schedules. */
    shortestPeriodMs: Math.min(...schedules.map(({ everySeconds }) => everySeconds * 1_000)),
    firstDue: firstScheduleSql(names),
    beforePoll: async () => {
      if (isRegistered) return;
      isRegistered = true;
      await registerSchedules(pool, schedules);
    },
    onPoll: async (isDue) => {
      if (!isDue) return;
      const claimedRows = await claimSchedules(pool, schedules);
      for (const { id } of claimedRows) crashPoint('schedule-claimed', id);
      for (const each of claimedRows) runs.get(each.id)?.begin(each);
    },
    pollFailed: onAway,
    ended: async () => {
      pool.off('error', onAway);
      for (const stop of stopListening) stop();
      await Promise.all([...runs.values()].map(({ whenIdle }) => whenIdle()));
    },
  };
};

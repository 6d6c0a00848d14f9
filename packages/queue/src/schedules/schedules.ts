import { failureFields } from '@tds/base';
import { errorText } from '@tds/base/internals';
import { crashPoint } from '@tds/messaging';
import type { StoreRuntime, Worker } from '@tds/messaging/internals';
import { observeRun, type ScheduleHandler, type ScheduleHandlers } from './runs.ts';
import {
  type ClaimedSchedule,
  claimSchedules,
  finishSchedule,
  registerSchedules,
  releaseSchedules,
  renewSchedule,
} from './schedule-rows.ts';

type Schedule = {
  readonly name: string;
  readonly everySeconds: number;
  readonly leaseMs: number;
  readonly alsoOnConnect: boolean;
};

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

const schedulesOf = (given: Schedules): Schedule[] =>
  Object.entries(given).map(([name, { everySeconds, alsoOnConnect = false }]) => ({
    name,
    everySeconds,
    alsoOnConnect,
    leaseMs: leaseFor(everySeconds),
  }));

/** The handler's signal: fires when the process ends or another instance has taken over. */
const keepLease = (runtime: StoreRuntime, claimed: ClaimedSchedule, leaseMs: number) => {
  const controller = new AbortController();
  const renew = async () => {
    // A renewal that fails is tried again; when the lease has run out meanwhile, the next one says so.
    const isOurs = await renewSchedule(runtime.pool, claimed, leaseMs).catch(() => true);
    if (!isOurs) controller.abort(new Error('the lease is lost'));
  };
  const timer = setInterval(() => void renew(), leaseMs / 3);
  return { signal: AbortSignal.any([controller.signal, runtime.ending]), end: () => clearInterval(timer) };
};

/** Runs one schedule; an error is logged and the next period comes as usual. */
const runSchedule = async (
  runtime: StoreRuntime,
  { schedule, handler, claimed }: { schedule: Schedule; handler: ScheduleHandler; claimed: ClaimedSchedule },
): Promise<void> => {
  const { log, pool } = runtime;
  const lease = keepLease(runtime, claimed, schedule.leaseMs);
  let error: string | null = null;
  try {
    await observeRun(runtime, { name: schedule.name, handler, signal: lease.signal });
  } catch (thrown) {
    error = errorText(thrown);
  } finally {
    lease.end();
  }
  crashPoint('schedule-handled');
  await finishSchedule(pool, claimed, { everySeconds: schedule.everySeconds, error }).catch((failed) =>
    log.warn('the end of a schedule could not be saved; its lease runs out', {
      schedule: schedule.name,
      ...failureFields(failed),
    }),
  );
};

const createRuns = (runtime: StoreRuntime, schedules: readonly Schedule[], handlers: ScheduleHandlers) => {
  const running = new Set<Promise<void>>();
  return {
    begin: (claimed: ClaimedSchedule): void => {
      const schedule = schedules.find(({ name }) => name === claimed.name);
      const handler = handlers[claimed.name];
      if (!schedule || !handler) throw new Error(`${runtime.service} has no handler for ${claimed.name}`);
      const run = runSchedule(runtime, { schedule, handler, claimed }).finally(() => running.delete(run));
      running.add(run);
    },
    whenEnded: async (): Promise<void> => void (await Promise.all(running)),
  };
};

export type ScheduleRuns = Worker & {
  readonly names: readonly string[];
  /** Infinity without schedules. */
  readonly shortestPeriodMs: number;
  /** Saves new schedules; call it before each poll. */
  register(): Promise<void>;
  /** Runs the schedules of these names that no other instance has taken. */
  begin(due: readonly string[]): Promise<void>;
  /** Database or broker were unreachable, and may have been restored. */
  wasAway(): void;
};

/** Schedules the service by the database's clock: one instance per schedule and period, and once after missed periods. */
export const startSchedules = (
  runtime: StoreRuntime,
  given: Schedules,
  handlers: ScheduleHandlers,
): ScheduleRuns => {
  const { pool, database, bus } = runtime;
  const schedules = schedulesOf(given);
  const runs = createRuns(runtime, schedules, handlers);
  let isRegistered = false;
  const wasAway = () => {
    isRegistered = false;
  };
  const names = schedules.map(({ name }) => name);
  const wasSwapped = async () => {
    wasAway();
    await releaseSchedules(pool, names);
  };
  pool.on('error', wasAway);
  const stopListening = [bus.onConnect(wasAway), database.onSwap('schedules', wasSwapped)];
  return {
    names,
    shortestPeriodMs: Math.min(...schedules.map(({ everySeconds }) => everySeconds * 1_000)),
    register: async () => {
      if (isRegistered) return;
      isRegistered = true;
      await registerSchedules(pool, schedules);
    },
    begin: async (due) => {
      if (due.length === 0) return;
      const claimed = await claimSchedules(
        pool,
        schedules.filter(({ name }) => due.includes(name)),
      );
      if (claimed.length > 0) crashPoint('schedule-claimed');
      claimed.forEach(runs.begin);
    },
    wasAway,
    stop: async () => {
      pool.off('error', wasAway);
      for (const stop of stopListening) stop();
      await runs.whenEnded();
    },
  };
};

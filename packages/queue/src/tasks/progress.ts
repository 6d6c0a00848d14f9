import { failureFields } from '@tds/base';
import { named } from '@tds/base/internals';
import type { StoreRuntime } from '@tds/messaging/internals';
import type { Pool } from 'pg';
import { FREE_FROM } from '../leases.ts';
import { IS_FIRST, type TaskPool } from './claim-tasks.ts';

/** For tasks without a limit: in so long one of many should have begun or ended. */
const NO_LIMIT_MS = 180_000;

/** A handler that overruns its limit is given up a third of a lease later. */
const longestMs = ({ timeLimitMs, leaseMs }: TaskPool['task']): number =>
  timeLimitMs === null ? NO_LIMIT_MS : timeLimitMs + leaseMs;

/** Throws if all slots of a task are held, and none has changed hands for longer than an attempt may take. */
export const checkSlots = (pools: Iterable<Pick<TaskPool, 'task' | 'heldForMs'>>): void => {
  for (const { task, heldForMs } of pools) {
    const heldMs = heldForMs();
    if (heldMs > longestMs(task))
      throw new Error(
        `all ${task.concurrency} slots of ${task.wireName} are held for ${Math.round(heldMs / 1_000)} s`,
      );
  }
};

/** The task of this name that has been due for longest and that no worker has begun. */
export type Oldest = { readonly name: string; readonly id: string | null; readonly dueSeconds: number };

const OLDEST = `
  SELECT wanted.name, oldest.id, coalesce(extract(epoch FROM now() - oldest.free_from), 0)::float8 AS "dueSeconds"
  FROM unnest($1::text[]) AS wanted (name) LEFT JOIN LATERAL (
    SELECT id, ${FREE_FROM} AS free_from FROM messaging.tasks AS task
    WHERE name = wanted.name AND state = 'ready'
      AND ${FREE_FROM} <= now() AND ${IS_FIRST}
    ORDER BY ${FREE_FROM} LIMIT 1) AS oldest ON true`;

export const oldestDue = async (pool: Pool, names: readonly string[]): Promise<Oldest[]> => {
  return (await pool.query<Oldest>(named(OLDEST, [names]))).rows;
};

type ProgressOptions = {
  readonly limitMs: number;
  /** Whether a task of this name could begin here now. */
  readonly hasRoom: (name: string) => boolean;
  /** Milliseconds of a clock that only goes on. */
  readonly now: () => number;
};

/** Reports a task that stays the first of its name although a slot is free. A queue that is long but moves is no such case. */
export const createProgress = ({ limitMs, hasRoom, now }: ProgressOptions) => {
  const oldestByName = new Map<string, { readonly id: string; readonly sinceMs: number }>();
  let polledAtMs = now();
  return {
    /** Of every name that has something due. */
    record: (oldest: readonly Oldest[]): void => {
      polledAtMs = now();
      const due = oldest.flatMap(({ name, id }) => (id !== null && hasRoom(name) ? [{ name, id }] : []));
      for (const name of oldestByName.keys())
        if (!due.some((each) => each.name === name)) oldestByName.delete(name);
      for (const { name, id } of due)
        if (oldestByName.get(name)?.id !== id) oldestByName.set(name, { id, sinceMs: polledAtMs });
    },
    /** The last poll failed: nothing is known. */
    forget: () => oldestByName.clear(),
    /** Throws while a task is due, this process has room for it, and no worker begins it. */
    check: (): void => {
      const atMs = now();
      if (atMs - polledAtMs > limitMs)
        throw new Error(`tasks were polled ${Math.round((atMs - polledAtMs) / 1_000)} s ago`);
      for (const [name, { id, sinceMs }] of oldestByName)
        if (atMs - sinceMs > limitMs)
          throw new Error(
            `${name} ${id} is due and not begun for ${Math.round((atMs - sinceMs) / 1_000)} s with room`,
          );
    },
  };
};

const CHECK_MS = 5_000;
const NO_PROGRESS_MS = 60_000;

/** Checks every few seconds whether what is due begins: for /ready, and as a gauge. */
export const watchProgress = (
  { pool, metrics, checks, log }: StoreRuntime,
  pools: ReadonlyMap<string, TaskPool>,
) => {
  const progress = createProgress({
    limitMs: NO_PROGRESS_MS,
    hasRoom: (name) => (pools.get(name)?.free() ?? 0) > 0,
    now: () => performance.now(),
  });
  checks.set('tasks', progress.check);
  checks.set('slots', () => checkSlots(pools.values()));
  let nextAt = 0;
  const readOldest = async (isDue: boolean): Promise<void> => {
    const oldest = isDue ? await oldestDue(pool, [...pools.keys()]) : [];
    progress.record(oldest);
    const secondsOf = new Map(oldest.map(({ name, dueSeconds }) => [name, dueSeconds]));
    for (const name of pools.keys()) metrics.oldestDue.set({ name }, secondsOf.get(name) ?? 0);
  };
  return {
    /** By a poll: whether anything is due. */
    onPoll: (isDue: boolean): void => {
      if (performance.now() < nextAt) return;
      nextAt = performance.now() + CHECK_MS;
      void readOldest(isDue).catch((error) => {
        progress.forget();
        log.warn('the progress of tasks is not known', failureFields(error));
      });
    },
    forget: progress.forget,
  };
};

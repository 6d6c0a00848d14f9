import type { StoreRuntime } from './runtime/runtime.ts';

const MIN_REST_MS = 5_000;
/** Counting tasks takes longer the more of them are open, and the more an old snapshot keeps: it gets so little of the time. */
const REST_PER_COUNT = 100;
const MAX_REST_MS = 120_000;

type QueueStore = Pick<StoreRuntime, 'pool' | 'metrics'>;

const COUNT_OUTBOX = `
  SELECT count(*)::int AS unpublished,
    coalesce(extract(epoch FROM clock_timestamp() - min(coalesce(waiting_since, created_at))), 0)::float8
      AS lag_seconds
  FROM messaging.outbox WHERE published_at IS NULL`;

const COUNT_TASKS = `
  SELECT name, CASE WHEN lease_until > now() THEN 'running' WHEN due_at > now() THEN 'waiting' ELSE 'ready' END AS state,
    count(*)::int AS count
  FROM messaging.tasks WHERE state = 'ready' GROUP BY 1, 2
  UNION ALL
  SELECT source, 'dead', count(*)::int FROM messaging.dead_letters WHERE replayed_at IS NULL GROUP BY 1`;

/** Reads how full the outbox is. */
export const sampleQueues = async ({ pool, metrics }: QueueStore): Promise<void> => {
  const { rows } = await pool.query<{ unpublished: number; lag_seconds: number }>(COUNT_OUTBOX);
  metrics.outboxUnpublished.set(rows[0]?.unpublished ?? 0);
  metrics.outboxLag.set(rows[0]?.lag_seconds ?? 0);
};

/** Counts tasks and dead letters. */
export const sampleTasks = async ({ pool, metrics }: QueueStore): Promise<void> => {
  const { rows } = await pool.query<{ name: string; state: string; count: number }>(COUNT_TASKS);
  metrics.tasks.reset();
  for (const { name, state, count } of rows) metrics.tasks.set({ name, state }, count);
};

/** A hundred times the duration of the count, between five seconds and two minutes. */
export const pauseAfter = (elapsedMs: number): number =>
  Math.min(Math.max(MIN_REST_MS, elapsedMs * REST_PER_COUNT), MAX_REST_MS);

/** Does nothing while it rests. */
const withRests = (count: () => Promise<void>) => {
  let notBefore = Number.NEGATIVE_INFINITY;
  return async (): Promise<void> => {
    const startedAt = performance.now();
    if (startedAt < notBefore) return;
    await count();
    const endedAt = performance.now();
    notBefore = endedAt + pauseAfter(endedAt - startedAt);
  };
};

/** Gauges of outbox, tasks and dead letters. */
export const measureQueues = (store: QueueStore): void => {
  const { outboxUnpublished, outboxLag, tasks, onScrape } = store.metrics;
  onScrape({ sets: [outboxUnpublished, outboxLag], collect: () => sampleQueues(store) });
  onScrape({ sets: [tasks], collect: withRests(() => sampleTasks(store)) });
};

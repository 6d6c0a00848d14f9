import { failureFields } from '@tds/base';
import { createBackoff, named, pauseFor } from '@tds/base/internals';
import type { StoreRuntime, Worker } from '@tds/messaging/internals';
import type { Pool } from 'pg';
import { createIdle } from './idle.ts';
import type { PollTarget } from './leases.ts';

/** Moments are milliseconds since 1970, by the database's clock. */
type Moments = { readonly atMs: number; readonly dueMs: readonly (number | null)[] };

const toMs = (moment: string): string => `(extract(epoch FROM (${moment})) * 1000)::float8`;

/** One statement for all, because it is asked all the time and mostly answers that there is nothing. */
export const createPoll = (queries: readonly string[]) => {
  const text = `SELECT ${toMs('now()')} AS "atMs", ARRAY [${queries.map(toMs).join(', ')}]::float8[] AS "dueMs"`;
  return async (pool: Pool): Promise<Moments> =>
    (await pool.query<Moments>(named(text, []))).rows[0] as Moments;
};

/** Instances do not poll at the same moment. */
const jitter = (ms: number): number => ms * (0.75 + Math.random() / 2);

/** Work that other processes left behind waits at most this long. */
const POLL_MS = 500;
const POLLS_PER_PERIOD = 4;

/** Polls the service's rows until stopped: soon after they were used, when the first of them is due, and seldom otherwise. */
export const startPolling = (
  runtime: StoreRuntime,
  targets: readonly PollTarget[],
  shortestPeriodMs: number,
): Worker => {
  const stopping = new AbortController();
  const backoff = createBackoff({ firstMs: 200, maxMs: 5_000 });
  const everyMs = Math.min(POLL_MS, shortestPeriodMs / POLLS_PER_PERIOD);
  const idle = createIdle(runtime);
  const poll = createPoll(targets.map(({ firstDue }) => firstDue));
  /** Resolves to how long until the next row is due; 0 or less if one is. */
  const pollOnce = async (): Promise<number> => {
    idle.begin();
    for (const each of targets) await each.beforePoll?.();
    const { atMs, dueMs } = await poll(runtime.pool);
    const dueInMs = targets.map((_, at) => (dueMs[at] ?? Number.POSITIVE_INFINITY) - atMs);
    for (const [at, each] of targets.entries()) await each.onPoll((dueInMs[at] ?? 0) <= 0);
    return Math.min(...dueInMs);
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const nextInMs = await pollOnce();
        backoff.reset();
        await idle.pause(nextInMs - everyMs, stopping.signal);
        await pauseFor(jitter(everyMs), stopping.signal);
      } catch (error) {
        for (const each of targets) each.pollFailed?.();
        runtime.log.warn('the service’s rows could not be polled', failureFields(error));
        await backoff.pause(stopping.signal);
      }
    }
  };
  const looping = loop();
  return {
    stop: async () => {
      stopping.abort();
      idle.stop();
      await looping;
      await Promise.all(targets.map((each) => each.ended?.()));
    },
  };
};

import { failureFields } from '@tds/base';
import { createBackoff, pauseFor } from '@tds/base/internals';
import {
  FIRST_HELD_UNTIL,
  IS_UNPUBLISHED,
  type Relay,
  type StoreRuntime,
  type Worker,
} from '@tds/messaging/internals';
import type { Pool } from 'pg';
import { createIdle } from './idle.ts';
import type { DueWork } from './schedules/runs.ts';
import { FIRST_DUE_AT, IS_DUE } from './schedules/schedule-rows.ts';
import type { ScheduleRuns } from './schedules/schedules.ts';
import { FOUND_TASKS, type FoundTasks, WANTED_TASKS } from './tasks/claim-tasks.ts';
import type { Tasks } from './tasks/tasks.ts';

type PollRequest = { readonly tasks: readonly string[]; readonly schedules: readonly string[] };

/** Open work in the rows that no process has begun. Moments are milliseconds since 1970. */
type PollResult = FoundTasks & {
  readonly hasUnpublished: boolean;
  readonly dueSchedules: readonly string[];
  /** When the lease of the first unpublished event ends, and when the first schedule is due. */
  readonly nextMs: readonly (number | null)[];
  /** Of each question, when the first of its rows is due. */
  readonly dueMs: readonly (number | null)[];
};

const inMs = (moment: string): string => `(extract(epoch FROM (${moment})) * 1000)::float8`;

/**
 * One statement for all, because it is asked all the time and mostly answers that there is nothing. A question is of the
 * service's own tables: a query of one moment.
 */
export const createPoll = (questions: readonly string[]) => {
  const name = 'poll';
  const text = `
    WITH wanted_tasks AS MATERIALIZED (${WANTED_TASKS})
    SELECT ${FOUND_TASKS},
      EXISTS (SELECT FROM messaging.outbox WHERE ${IS_UNPUBLISHED}) AS "hasUnpublished",
      ARRAY (SELECT name FROM messaging.schedules WHERE name = ANY ($2::text[]) AND ${IS_DUE}) AS "dueSchedules",
      ARRAY [${inMs(FIRST_HELD_UNTIL)}, ${inMs(`${FIRST_DUE_AT} WHERE name = ANY ($2)`)}] AS "nextMs",
      ARRAY [${questions.map(inMs).join(', ')}]::float8[] AS "dueMs"`;
  return async (pool: Pool, { tasks, schedules }: PollRequest): Promise<PollResult> => {
    const { rows } = await pool.query<PollResult>({ name, text, values: [tasks, schedules] });
    return rows[0] as PollResult;
  };
};

/** How long until the first found row is due; 0 or less if something is. */
export const dueInMs = ({ atMs, firstMs, nextMs, dueMs, hasUnpublished }: PollResult): number => {
  if (hasUnpublished) return 0;
  const moments = [...firstMs, ...nextMs, ...dueMs];
  return Math.min(...moments.map((ms) => (ms ?? Number.POSITIVE_INFINITY) - atMs));
};

/** Instances do not poll at the same moment. */
const about = (ms: number): number => ms * (0.75 + Math.random() / 2);

/** Work that other processes left behind waits at most this long. */
const POLL_MS = 500;
const POLLS_PER_PERIOD = 4;

type PolledWork = {
  readonly relay: Relay;
  readonly tasks: Tasks;
  readonly schedules: ScheduleRuns;
  readonly dueWork: DueWork;
};

/**
 * Polls the service's rows until stopped, and wakes the part that has work there: soon after the rows were used, when the
 * first of them is due, and seldom otherwise. Its end is that of the schedules.
 */
export const startPolling = (
  runtime: StoreRuntime,
  { relay, tasks, schedules, dueWork }: PolledWork,
): Worker => {
  const stopping = new AbortController();
  const backoff = createBackoff({ firstMs: 200, maxMs: 5_000 });
  const everyMs = Math.min(POLL_MS, schedules.shortestPeriodMs / POLLS_PER_PERIOD);
  const idle = createIdle(runtime);
  const poll = createPoll(dueWork.questions);
  /** Resolves to when the next row is due. */
  const pollOnce = async (): Promise<number> => {
    idle.begin();
    await schedules.register();
    const found = await poll(runtime.pool, { tasks: tasks.names, schedules: schedules.names });
    if (found.hasUnpublished) relay.wake();
    tasks.found(found);
    dueWork.found(found);
    await schedules.begin(found.dueSchedules);
    return dueInMs(found);
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const nextInMs = await pollOnce();
        backoff.reset();
        await idle.pause(nextInMs - everyMs, stopping.signal);
        await pauseFor(about(everyMs), stopping.signal);
      } catch (error) {
        tasks.pollFailed();
        schedules.wasAway();
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
      await Promise.all([schedules.stop(), dueWork.stop()]);
    },
  };
};

import { randomUUID } from 'node:crypto';
import { failureFields } from '@tds/base';
import { createBackoff, pauseFor } from '@tds/base/internals';
import type { Pool } from 'pg';
import { workSubject } from './broker/streams.ts';
import { FIRST_HELD_UNTIL, IS_UNPUBLISHED, type Relay } from './events/relay.ts';
import type { StoreRuntime, Worker } from './runtime/runtime.ts';
import type { DueWork } from './schedules/runs.ts';
import { FIRST_DUE_AT, IS_DUE } from './schedules/schedule-rows.ts';
import type { ScheduleRuns } from './schedules/schedules.ts';
import { FOUND_TASKS, type FoundTasks, WANTED_TASKS } from './tasks/claim-tasks.ts';
import type { Tasks } from './tasks/tasks.ts';

type LookRequest = { readonly tasks: readonly string[]; readonly schedules: readonly string[] };

/** Open work in the rows that no process has begun. Moments are milliseconds since 1970. */
type LookResult = FoundTasks & {
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
export const createLook = (questions: readonly string[]) => {
  const name = 'look-around';
  const text = `
    WITH wanted_tasks AS MATERIALIZED (${WANTED_TASKS})
    SELECT ${FOUND_TASKS},
      EXISTS (SELECT FROM messaging.outbox WHERE ${IS_UNPUBLISHED}) AS "hasUnpublished",
      ARRAY (SELECT name FROM messaging.schedules WHERE name = ANY ($2::text[]) AND ${IS_DUE}) AS "dueSchedules",
      ARRAY [${inMs(FIRST_HELD_UNTIL)}, ${inMs(`${FIRST_DUE_AT} WHERE name = ANY ($2)`)}] AS "nextMs",
      ARRAY [${questions.map(inMs).join(', ')}]::float8[] AS "dueMs"`;
  return async (pool: Pool, { tasks, schedules }: LookRequest): Promise<LookResult> => {
    const { rows } = await pool.query<LookResult>({ name, text, values: [tasks, schedules] });
    return rows[0] as LookResult;
  };
};

/** How long until the first found row is due; 0 or less if something is. */
export const dueInMs = ({ atMs, firstMs, nextMs, dueMs, hasUnpublished }: LookResult): number => {
  if (hasUnpublished) return 0;
  const moments = [...firstMs, ...nextMs, ...dueMs];
  return Math.min(...moments.map((ms) => (ms ?? Number.POSITIVE_INFINITY) - atMs));
};

/** At rest the database is unused and all due times are known. Rows written past the services wait this long. */
const REST_MS = 4_500;
/** How often this instance announces that it works. */
const TELL_MS = 500;
/** Poll soon after work: its instance may have died after the commit, and hints may be lost. */
const HEED_MS = 1_000;

/** The pause between polls; it ends as soon as there may be new rows. */
type Rest = {
  /** Starts a look: later changes are not known to it. */
  begin(): void;
  /** The longest pause. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  stop(): void;
};

/** Rows are saved by this process through its own pool, and by the other instances, which announce it first. */
export const createRest = (runtime: StoreRuntime): Rest => {
  const { bus, service, pool, servicePool, log } = runtime;
  const subject = workSubject(service);
  const id = randomUUID();
  let isStirred = true;
  let heedUntil = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  let end: (() => void) | undefined;
  const stir = (): void => {
    isStirred = true;
    end?.();
  };
  const announce = (): void => {
    const now = performance.now();
    if (now - toldAt < TELL_MS || !bus.isConnected()) return;
    toldAt = now;
    bus.connection.publish(subject, id);
  };
  servicePool.on('acquire', announce);
  servicePool.on('release', stir);
  pool.on('error', stir);
  const stopListening = bus.onConnect(stir);
  const subscription = bus.connection.subscribe(subject, {
    callback: (failed, message) => {
      if (failed) return log.error('other instances cannot be heard', { error: failed });
      if (message.string() === id) return;
      heedUntil = performance.now() + HEED_MS;
      stir();
    },
  });
  return {
    begin: () => {
      isStirred = performance.now() < heedUntil;
    },
    pause: async (ms, signal) => {
      if (isStirred || ms <= 0) return;
      const stirred = new AbortController();
      end = () => stirred.abort();
      await pauseFor(Math.min(ms, REST_MS), AbortSignal.any([signal, stirred.signal]));
      end = undefined;
    },
    stop: () => {
      servicePool.off('acquire', announce);
      servicePool.off('release', stir);
      pool.off('error', stir);
      stopListening();
      subscription.unsubscribe();
    },
  };
};

/** Instances do not look at the same moment. */
const about = (ms: number): number => ms * (0.75 + Math.random() / 2);

/** Work that other processes left behind waits at most this long. */
const LOOK_MS = 500;
const LOOKS_PER_PERIOD = 4;

type Looking = {
  readonly relay: Relay;
  readonly tasks: Tasks;
  readonly schedules: ScheduleRuns;
  readonly dueWork: DueWork;
};

/**
 * Looks into the service's rows until stopped, and wakes the part that has work there: soon after the rows were used, when the
 * first of them is due, and seldom otherwise. Its end is that of the schedules.
 */
export const startLooking = (
  runtime: StoreRuntime,
  { relay, tasks, schedules, dueWork }: Looking,
): Worker => {
  const stopping = new AbortController();
  const backoff = createBackoff({ firstMs: 200, maxMs: 5_000 });
  const everyMs = Math.min(LOOK_MS, schedules.shortestPeriodMs / LOOKS_PER_PERIOD);
  const rest = createRest(runtime);
  const lookAround = createLook(dueWork.questions);
  /** Resolves to when the next look is due. */
  const look = async (): Promise<number> => {
    rest.begin();
    await schedules.register();
    const found = await lookAround(runtime.pool, { tasks: tasks.names, schedules: schedules.names });
    if (found.hasUnpublished) relay.wake();
    tasks.found(found);
    dueWork.found(found);
    await schedules.begin(found.dueSchedules);
    return dueInMs(found);
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const nextInMs = await look();
        backoff.reset();
        await rest.pause(nextInMs - everyMs, stopping.signal);
        await pauseFor(about(everyMs), stopping.signal);
      } catch (error) {
        tasks.foundNothing();
        schedules.wasAway();
        runtime.log.warn('the service’s rows could not be looked at', failureFields(error));
        await backoff.pause(stopping.signal);
      }
    }
  };
  const looping = loop();
  return {
    stop: async () => {
      stopping.abort();
      rest.stop();
      await looping;
      await Promise.all([schedules.stop(), dueWork.stop()]);
    },
  };
};

import type { Pool } from 'pg';
import { FIRST_HELD_UNTIL, IS_UNPUBLISHED } from '../events/relay-batch.ts';
import { FIRST_DUE_AT, IS_DUE } from '../schedules/schedule-rows.ts';
import { FOUND_TASKS, type FoundTasks, WANTED_TASKS, type WantedTasks } from '../tasks/found-tasks.ts';

export type Wanted = WantedTasks & { readonly schedules: readonly string[] };

/** What is there to be done that nobody has begun, as far as rows say. Moments are milliseconds since 1970. */
export type Found = FoundTasks & {
  readonly hasUnpublished: boolean;
  readonly dueSchedules: readonly string[];
  /** When the first event that somebody is just about to publish is anybody's, and when the first schedule is due. */
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
      ARRAY (SELECT name FROM messaging.schedules WHERE name = ANY ($3::text[]) AND ${IS_DUE}) AS "dueSchedules",
      ARRAY [${inMs(FIRST_HELD_UNTIL)}, ${inMs(`${FIRST_DUE_AT} WHERE name = ANY ($3)`)}] AS "nextMs",
      ARRAY [${questions.map(inMs).join(', ')}]::float8[] AS "dueMs"`;
  return async (pool: Pool, { tasks, floorsMs, schedules }: Wanted): Promise<Found> => {
    const { rows } = await pool.query<Found>({ name, text, values: [tasks, floorsMs, schedules] });
    return rows[0] as Found;
  };
};

/** In how long the first of what was found is due; 0 or less where something is. */
export const dueInMs = ({
  atMs,
  firstMs,
  parkedMs,
  nextMs,
  dueMs,
  parked,
  hasSuspects,
  hasUnpublished,
}: Found): number => {
  if (parked.length > 0 || hasSuspects || hasUnpublished) return 0;
  const moments = [...firstMs, ...parkedMs, ...nextMs, ...dueMs];
  return Math.min(...moments.map((ms) => (ms ?? Number.POSITIVE_INFINITY) - atMs));
};

import type { Pool } from 'pg';
import { IS_UNPUBLISHED } from '../events/relay-batch.ts';
import { IS_DUE } from '../schedules/schedule-rows.ts';
import { FOUND_TASKS, type FoundTasks, WANTED_TASKS, type WantedTasks } from '../tasks/found-tasks.ts';

export type Wanted = WantedTasks & { readonly schedules: readonly string[] };

/** What is there to be done that nobody has begun, as far as rows say. */
export type Found = FoundTasks & {
  readonly hasUnpublished: boolean;
  readonly dueSchedules: readonly string[];
};

/** One statement for all, because it is asked all the time and mostly answers that there is nothing. */
const LOOK = {
  name: 'look-around',
  text: `
    WITH wanted_tasks AS MATERIALIZED (${WANTED_TASKS})
    SELECT ${FOUND_TASKS},
      EXISTS (SELECT FROM messaging.outbox WHERE ${IS_UNPUBLISHED}) AS "hasUnpublished",
      ARRAY (SELECT name FROM messaging.schedules WHERE name = ANY ($3::text[]) AND ${IS_DUE}) AS "dueSchedules"`,
};

export const lookAround = async (pool: Pool, { tasks, floorsMs, schedules }: Wanted): Promise<Found> => {
  const { rows } = await pool.query<Found>({ ...LOOK, values: [tasks, floorsMs, schedules] });
  return rows[0] as Found;
};

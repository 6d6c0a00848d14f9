import { FIRST_OF_WANTED, FREE_FROM, IS_SUSPECT } from './claim-tasks.ts';
import type { Look } from './floors.ts';

/** The tasks that a look asks for, and from which moments on: milliseconds since 1970 before which none is free. */
export type WantedTasks = { readonly tasks: readonly string[]; readonly floorsMs: readonly number[] };

/** Tasks that nobody has begun, as a look has found them. */
export type FoundTasks = Look & {
  /** Of each name, when the first that is not done is free; null where there is none. */
  readonly firstMs: readonly (number | null)[];
  /** Of each name, when the first is wanted that no claim takes yet. */
  readonly parkedMs: readonly (number | null)[];
  /** Names with tasks that no claim takes yet: their time has come, or they stand in line. */
  readonly parked: readonly string[];
  readonly hasSuspects: boolean;
};

/** The names, $1, from their floors, $2, on. */
export const WANTED_TASKS = `
  ${FIRST_OF_WANTED} FROM unnest($1::text[], $2::float8[]) WITH ORDINALITY AS wanted (name, floor_ms, place)`;

/** The columns of what was found of `wanted_tasks`. */
export const FOUND_TASKS = `
  (extract(epoch FROM now()) * 1000)::float8 AS "atMs",
  pg_snapshot_xmin(pg_current_snapshot())::text::float8 AS xmin,
  pg_snapshot_xmax(pg_current_snapshot())::text::float8 AS xmax,
  ARRAY (SELECT (extract(epoch FROM first) * 1000)::float8 FROM wanted_tasks ORDER BY place) AS "firstMs",
  ARRAY (SELECT (extract(epoch FROM (
      SELECT wanted_at FROM messaging.tasks
      WHERE name = wanted_tasks.name AND state = 'ready' AND NOT in_line AND wanted_at IS NOT NULL
      ORDER BY wanted_at LIMIT 1)) * 1000)::float8 FROM wanted_tasks ORDER BY place) AS "parkedMs",
  ARRAY (SELECT name FROM wanted_tasks
    WHERE EXISTS (
      SELECT FROM messaging.tasks
      WHERE name = wanted_tasks.name AND state = 'ready' AND NOT in_line AND wanted_at <= now())
    OR EXISTS (SELECT FROM messaging.tasks WHERE name = wanted_tasks.name AND state = 'ready' AND in_line)) AS parked,
  EXISTS (
    SELECT FROM messaging.tasks
    WHERE state = 'ready' AND lost_leases > 0 AND ${IS_SUSPECT} AND ${FREE_FROM} <= now()
      AND name = ANY ($1)) AS "hasSuspects"`;

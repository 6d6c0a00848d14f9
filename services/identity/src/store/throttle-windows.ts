import type { Hit, Throttle } from '../domain/sign-in-code.ts';
import { earlier } from '../domain/time.ts';
import type { Db } from './database.ts';

/**
 * Counts a hit against every throttle, unless one of them is full: a rejected hit counts nowhere. Resolves to the new hits, or, for a full
 * throttle, to the hits that would have resulted. One statement.
 */
export const countHits = (db: Db, throttles: readonly Throttle[], now: Date): Promise<Hit[]> =>
  db.$queryRaw<Hit[]>`
    WITH wanted AS (
      SELECT scope, subject, "limit" AS max_hits, ${now}::timestamptz - "windowMs" * interval '1 ms' AS window_start
      FROM jsonb_to_recordset(${JSON.stringify(throttles)}::jsonb) AS input (scope text, subject text, "limit" int, "windowMs" int)
    ), full_ones AS (
      SELECT t.scope, t.started_at, t.hits FROM throttle_windows t JOIN wanted w USING (scope, subject)
      WHERE t.started_at > w.window_start AND t.hits >= w.max_hits
    ), counted AS (
      INSERT INTO throttle_windows AS t (scope, subject, started_at, hits)
      SELECT scope, subject, ${now}::timestamptz, 1 FROM wanted WHERE NOT EXISTS (SELECT FROM full_ones)
      ON CONFLICT (scope, subject) DO UPDATE SET
        started_at = CASE WHEN t.started_at > (SELECT w.window_start FROM wanted w WHERE w.scope = t.scope)
          THEN t.started_at ELSE excluded.started_at END,
        hits = CASE WHEN t.started_at > (SELECT w.window_start FROM wanted w WHERE w.scope = t.scope)
          THEN t.hits + 1 ELSE 1 END
      RETURNING scope, started_at, hits
    )
    SELECT scope, started_at AS "startedAt", hits FROM counted
    UNION ALL SELECT scope, started_at, hits + 1 FROM full_ones`;

/** The result of `countHits` without counting. */
export const foreseeHits = async (db: Db, throttles: readonly Throttle[], now: Date): Promise<Hit[]> => {
  const open = throttles.map(({ scope, subject, windowMs }) => ({
    scope,
    subject,
    startedAt: { gt: earlier(now, windowMs) },
  }));
  const windows = await db.throttleWindow.findMany({ where: { OR: open } });
  return windows.map(({ scope, startedAt, hits }) => ({ scope, startedAt, hits: hits + 1 }));
};

/** Takes back one hit of every throttle, because the guess was right, and all hits of the scope `forgiven`. */
export const uncountHits = (db: Db, throttles: readonly Throttle[], clearedScope: Throttle['scope']) =>
  db.$executeRaw`
    UPDATE throttle_windows AS t SET hits = CASE WHEN t.scope = ${clearedScope} THEN 0 ELSE greatest(t.hits - 1, 0) END
    FROM jsonb_to_recordset(${JSON.stringify(throttles)}::jsonb) AS input (scope text, subject text)
    WHERE t.scope = input.scope AND t.subject = input.subject`;

import { HOUR_MS, later } from '../domain/checkout.ts';
import type { Db } from './database.ts';

/** Counts a checkout of a caller, in one statement; resolves to when it may open another one, null if it may open this one. */
export const countCheckout = async (
  db: Db,
  caller: string,
  most: number,
  now: Date,
): Promise<Date | null> => {
  const since = later(now, -HOUR_MS);
  const [row] = await db.$queryRaw<{ checkouts: number; startedAt: Date }[]>`
    INSERT INTO checkout_windows AS w (caller, started_at, checkouts) VALUES (${caller}, ${now}::timestamptz, 1)
    ON CONFLICT (caller) DO UPDATE SET
      started_at = CASE WHEN w.started_at > ${since}::timestamptz THEN w.started_at ELSE excluded.started_at END,
      checkouts = CASE WHEN w.started_at > ${since}::timestamptz THEN least(w.checkouts, ${most}::integer) + 1 ELSE 1 END
    RETURNING checkouts, started_at AS "startedAt"`;
  return row && row.checkouts > most ? later(row.startedAt, HOUR_MS) : null;
};

/** Resolves to how many were deleted. */
export const deleteWindows = async (db: Db, now: Date, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM checkout_windows WHERE caller IN (
      SELECT caller FROM checkout_windows WHERE started_at < ${later(now, -HOUR_MS)}::timestamptz LIMIT ${limit}
    )`;

import { utcDay } from '@tds/contracts';
import type { Db } from './database.ts';

/** A limit per UTC day. */
export type Allowance = { readonly scope: string; readonly limit: number };

/** Takes `count` of a day's allowance, or nothing; returns whether there was room. One statement, so concurrent calls cannot exceed it. */
export const takeOfDay = async (
  db: Db,
  { scope, limit }: Allowance,
  now: Date,
  count = 1,
): Promise<boolean> => {
  if (limit < count) return false;
  const affectedRows = await db.$executeRaw`
    INSERT INTO day_counts AS counted (scope, day, count) VALUES (${scope}, ${utcDay(now)}::date, ${count})
    ON CONFLICT (scope, day) DO UPDATE SET count = counted.count + excluded.count
    WHERE counted.count + excluded.count <= ${limit}`;
  return affectedRows === 1;
};

/** Releases one that was taken on this day and not used. */
export const releaseOfDay = (db: Db, scope: string, day: Date) =>
  db.dayCount.updateMany({
    where: { scope, day: new Date(utcDay(day)), count: { gt: 0 } },
    data: { count: { decrement: 1 } },
  });

/** The used part of a day, by scope; unused scopes are missing. */
export const readDayCounts = async (
  db: Db,
  scopes: readonly string[],
  day: Date,
): Promise<ReadonlyMap<string, number>> => {
  const rows = await db.dayCount.findMany({
    where: { scope: { in: [...scopes] }, day: new Date(utcDay(day)) },
  });
  return new Map(rows.map(({ scope, count }) => [scope, count]));
};

/** Returns whether this input is counted for the first time on this day. */
export const countOnce = async (tx: Db, scope: string, input: string, now: Date): Promise<boolean> => {
  const { count } = await tx.countedInput.createMany({
    data: { scope, input, day: new Date(utcDay(now)) },
    skipDuplicates: true,
  });
  return count === 1;
};

import { utcDay } from '@tds/contracts';
import type { Kept } from '../domain/allowance.ts';
import type { Db } from './database.ts';

/** Counts one more archive that the account begins on this day; false, and not counted, beyond the most. */
export const takeBuildOfDay = async (
  tx: Db,
  { accountId, most }: { readonly accountId: string; readonly most: number },
  now: Date,
): Promise<boolean> => {
  const taken = await tx.$executeRaw`
    INSERT INTO archive_days AS counted (account_id, day, builds) VALUES (${accountId}::uuid, ${utcDay(now)}::date, 1)
    ON CONFLICT (account_id, day) DO UPDATE SET builds = counted.builds + 1 WHERE counted.builds < ${most}::int`;
  return taken === 1;
};

/** The archives of the account that have not expired. */
export const keptBy = async (tx: Db, accountId: string, now: Date): Promise<Kept> => {
  const [kept] = await tx.$queryRaw<Kept[]>`
    SELECT coalesce(sum(bytes), 0)::float8 AS bytes, min(expires_at) FILTER (WHERE bytes > 0) AS "firstExpiresAt"
    FROM archives WHERE account_id = ${accountId}::uuid AND expires_at > ${now}::timestamptz`;
  return kept ?? { bytes: 0, firstExpiresAt: null };
};

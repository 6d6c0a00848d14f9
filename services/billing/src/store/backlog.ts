import type { Backlog } from '@tds/service-kit';
import type { Database } from './database.ts';

/** Paid purchases of the last days that the ledger has not granted. */
export const ungrantedPurchases = async (db: Database): Promise<Backlog> => {
  const [found] = await db.$queryRaw<Required<Backlog>[]>`
    SELECT count(*)::int AS count,
      coalesce(extract(epoch FROM now() - min(paid_at)), 0)::float8 AS "oldestSeconds"
    FROM purchases
    WHERE changed_at > now() - interval '8 days' AND paid_at IS NOT NULL AND granted_at IS NULL`;
  return found ?? { count: 0 };
};

import type { Backlog } from '@tds/service-kit';
import type { Database } from './database.ts';

/** Paid purchases of the last days that the ledger has not granted; those of strangers count once they are accepted. */
export const ungrantedPurchases = async (db: Database): Promise<Backlog> => {
  const [found] = await db.$queryRaw<Required<Backlog>[]>`
    SELECT count(*)::int AS count,
      coalesce(extract(epoch FROM now() - min(CASE bought_by WHEN 'account' THEN paid_at ELSE admitted_at END)), 0)::float8 AS "oldestSeconds"
    FROM purchases
    WHERE changed_at > now() - interval '8 days' AND paid_at IS NOT NULL AND granted_at IS NULL
      AND account_id IS NOT NULL`;
  return found ?? { count: 0 };
};

/** What was told of money, does not fit our record, and no operator has looked at yet. */
export const misfits = async (db: Database): Promise<Backlog> => {
  const [found] = await db.$queryRaw<Required<Backlog>[]>`
    SELECT count(*)::int AS count,
      coalesce(extract(epoch FROM now() - min(noted_at)), 0)::float8 AS "oldestSeconds"
    FROM misfits WHERE looked_at IS NULL`;
  return found ?? { count: 0 };
};

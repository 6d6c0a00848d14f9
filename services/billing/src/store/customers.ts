import type { Tier } from '@tds/contracts';
import type { Db } from './database.ts';
import { MOVED } from './moved-money.ts';

export const findCustomer = async (db: Db, accountId: string): Promise<string | null> =>
  (await db.customer.findUnique({ where: { accountId } }))?.processorId ?? null;

/** The first customer of an account stays its customer. */
export const saveCustomer = async (db: Db, accountId: string, processorId: string): Promise<void> => {
  await db.$executeRaw`
    INSERT INTO customers AS c (account_id, processor_id) VALUES (${accountId}::uuid, ${processorId})
    ON CONFLICT (account_id) DO UPDATE SET processor_id = coalesce(c.processor_id, excluded.processor_id)`;
};

type Standing = { readonly accountId: string; readonly tier: Tier; readonly isDisputed: boolean };

/**
 * The ledger has had the purchases. Resolves to the accounts that have bought any of them: these are customers, and locked until the
 * transaction ends, in one order for several. What strangers have bought makes no customer.
 */
export const saveGranted = async (
  db: Db,
  ids: readonly string[],
): Promise<{ readonly accountId: string }[]> =>
  ids.length === 0
    ? []
    : db.$queryRaw`
    WITH granted AS (
      UPDATE purchases SET granted_at = clock_timestamp() WHERE id = ANY (${ids}::uuid[]) AND granted_at IS NULL
    )
    INSERT INTO customers (account_id)
    SELECT DISTINCT account_id FROM purchases WHERE id = ANY (${ids}::uuid[]) AND bought_by = 'account' ORDER BY account_id
    ON CONFLICT (account_id) DO UPDATE SET account_id = excluded.account_id
    RETURNING account_id AS "accountId"`;

/**
 * Brings what is known of locked customers to what their own purchases say; resolves to those that were otherwise, each with a new version.
 * Versions are times, or what follows the last one, so that those of a restored database are newer than those that it has lost.
 */
export const renewStandings = async (
  db: Db,
  accountIds: readonly string[],
): Promise<(Standing & { readonly version: number })[]> => {
  if (accountIds.length === 0) return [];
  const changed = await db.$queryRaw<(Standing & { version: bigint })[]>`
    WITH money AS (
      SELECT p.account_id, p.amount, m.refunded, m.disputed, m.is_taken_back
      FROM purchases AS p CROSS JOIN LATERAL (${MOVED}) AS m
      WHERE p.account_id = ANY (${accountIds}::uuid[]) AND p.bought_by = 'account' AND p.state = 'paid'
        AND p.granted_at IS NOT NULL
    ), standing AS (
      SELECT account_id, CASE WHEN bool_or(refunded + disputed < amount AND NOT is_taken_back) THEN 'paid' ELSE 'free' END AS tier,
        coalesce(bool_or(disputed > 0), false) AS is_disputed
      FROM unnest(${accountIds}::uuid[]) AS customer (account_id) LEFT JOIN money USING (account_id)
      GROUP BY account_id
    )
    UPDATE customers AS c
    SET tier = s.tier, is_disputed = s.is_disputed,
        version = greatest(c.version + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    FROM standing AS s
    WHERE c.account_id = s.account_id AND (c.tier, c.is_disputed) IS DISTINCT FROM (s.tier, s.is_disputed)
    RETURNING c.account_id AS "accountId", c.tier, c.is_disputed AS "isDisputed", c.version`;
  return changed.map((standing) => ({ ...standing, version: Number(standing.version) }));
};

import type { Tier } from '@tds/contracts';
import type { Db } from './database.ts';

export const findCustomer = async (db: Db, accountId: string): Promise<string | null> =>
  (await db.customer.findUnique({ where: { accountId } }))?.processorId ?? null;

/** The first customer of an account stays its customer. */
export const saveCustomer = async (db: Db, accountId: string, processorId: string): Promise<void> => {
  await db.$executeRaw`
    INSERT INTO customers AS c (account_id, processor_id) VALUES (${accountId}::uuid, ${processorId})
    ON CONFLICT (account_id) DO UPDATE SET processor_id = coalesce(c.processor_id, excluded.processor_id)`;
};

type Standing = { readonly accountId: string; readonly tier: Tier; readonly isDisputed: boolean };

type Granted = { readonly id: string; readonly accountId: string };

/** The ledger has had the purchases; their accounts are customers, and locked until the transaction ends, in one order for several. */
export const saveGranted = async (db: Db, granted: readonly Granted[], now: Date): Promise<void> => {
  if (granted.length === 0) return;
  const [ids, accountIds] = [granted.map(({ id }) => id), granted.map(({ accountId }) => accountId)];
  await db.$executeRaw`
    WITH granted AS (
      UPDATE purchases SET granted_at = ${now}::timestamptz WHERE id = ANY (${ids}::uuid[]) AND granted_at IS NULL
    )
    INSERT INTO customers (account_id) SELECT DISTINCT id FROM unnest(${accountIds}::uuid[]) AS id ORDER BY id
    ON CONFLICT (account_id) DO UPDATE SET account_id = excluded.account_id`;
};

/**
 * Brings what is known of locked customers to what their purchases say; resolves to those that were otherwise, each with a new version.
 * Versions are times, or what follows the last one, so that those of a restored database are newer than those that it has lost.
 */
export const renewStandings = async (
  db: Db,
  accountIds: readonly string[],
): Promise<(Standing & { readonly version: number })[]> => {
  if (accountIds.length === 0) return [];
  const changed = await db.$queryRaw<(Standing & { version: bigint })[]>`
    WITH money AS (
      SELECT p.account_id, p.amount,
        (SELECT coalesce(sum(r.amount), 0) FROM refunds AS r
         WHERE r.payment_intent_id = p.payment_intent_id AND r.status <> 'failed') AS refunded,
        (SELECT coalesce(sum(d.amount), 0) FROM disputes AS d
         WHERE d.payment_intent_id = p.payment_intent_id AND d.status <> 'won') AS disputed,
        EXISTS (SELECT FROM refund_requests AS q WHERE q.purchase_id = p.id AND q.state = 'taken') AS is_taken
      FROM purchases AS p
      WHERE p.account_id = ANY (${accountIds}::uuid[]) AND p.state = 'paid' AND p.granted_at IS NOT NULL
    ), standing AS (
      SELECT account_id, CASE WHEN bool_or(refunded + disputed < amount AND NOT is_taken) THEN 'paid' ELSE 'free' END AS tier,
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

/** Purchases of an account that it has not given back. */
export const countStanding = async (db: Db, accountId: string): Promise<number> => {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM purchases AS p
    WHERE p.account_id = ${accountId}::uuid AND p.state IN ('paid', 'processing')
      AND NOT EXISTS (SELECT FROM refund_requests AS q WHERE q.purchase_id = p.id AND q.state IN ('taken', 'submitted'))
      AND p.amount > (
        SELECT coalesce(sum(r.amount), 0) FROM refunds AS r
        WHERE r.payment_intent_id = p.payment_intent_id AND r.status <> 'failed'
      )`;
  return row?.count ?? 0;
};

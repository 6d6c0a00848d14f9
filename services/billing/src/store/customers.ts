import type { Tier } from '@tds/contracts';
import type { Db } from './database.ts';

/** Finds the processor's customer of an account. */
export const findCustomer = async (db: Db, accountId: string): Promise<string | null> =>
  (await db.customer.findUnique({ where: { accountId } }))?.processorId ?? null;

/**
 * Saves the customer of an account, unless the account has one. Locks the account, because ON CONFLICT does not catch a concurrent row with
 * the same `processorId`.
 */
export const saveCustomer = (db: Db, accountId: string, processorId: string) =>
  db.$executeRaw`
    INSERT INTO customers AS c (account_id, processor_id)
    SELECT ${accountId}::uuid, ${processorId} FROM pg_advisory_xact_lock(hashtextextended(${accountId}, 2))
    ON CONFLICT (account_id) DO UPDATE SET processor_id = coalesce(c.processor_id, excluded.processor_id)`;

/**
 * Marks purchases as granted by the ledger, and locks them before their customers, as every transaction does. Creates customers for the
 * accounts that bought any of them, locks these in one order until the transaction ends, and resolves to their ids. A stranger's
 * purchase creates no customer.
 */
export const saveGranted = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  if (ids.length === 0) return [];
  const customers = await db.$queryRaw<{ accountId: string }[]>`
    WITH locked AS MATERIALIZED (
      SELECT account_id, bought_by FROM purchases WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR UPDATE
    ), granted AS (
      UPDATE purchases SET granted_at = clock_timestamp() WHERE id = ANY (${ids}::uuid[]) AND granted_at IS NULL
    )
    INSERT INTO customers (account_id)
    SELECT DISTINCT account_id FROM locked WHERE bought_by = 'account' ORDER BY account_id
    ON CONFLICT (account_id) DO UPDATE SET account_id = excluded.account_id
    RETURNING account_id AS "accountId"`;
  return customers.map(({ accountId }) => accountId);
};

type CustomerStatus = {
  readonly accountId: string;
  readonly tier: Tier;
  readonly isDisputed: boolean;
  readonly version: number;
};

/**
 * Recomputes tier and disputes of customers from their own purchases. Requires their locks. Resolves to those that changed, with a new
 * version each: the time in milliseconds, or one more than the last, so that it stays the newest after a restore.
 */
export const renewStatuses = async (db: Db, accountIds: readonly string[]): Promise<CustomerStatus[]> => {
  if (accountIds.length === 0) return [];
  const rows = await db.$queryRaw<(Omit<CustomerStatus, 'version'> & { version: bigint })[]>`
    WITH money AS (
      SELECT p.account_id, p.amount, m.refunded, m.disputed, m.is_taken_back
      FROM purchases AS p JOIN moved_money AS m ON m.purchase_id = p.id
      WHERE p.account_id = ANY (${accountIds}::uuid[]) AND p.bought_by = 'account' AND p.state = 'paid'
        AND p.granted_at IS NOT NULL
    ), status AS (
      SELECT account_id, coalesce(bool_or(disputed > 0), false) AS is_disputed,
        (CASE WHEN bool_or(refunded + disputed < amount AND NOT is_taken_back) THEN 'paid' ELSE 'free' END)::tier AS tier
      FROM unnest(${accountIds}::uuid[]) AS customer (account_id) LEFT JOIN money USING (account_id)
      GROUP BY account_id
    )
    UPDATE customers AS c
    SET tier = s.tier, is_disputed = s.is_disputed,
        version = greatest(c.version + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    FROM status AS s
    WHERE c.account_id = s.account_id AND (c.tier, c.is_disputed) IS DISTINCT FROM (s.tier, s.is_disputed)
    RETURNING c.account_id AS "accountId", c.tier, c.is_disputed AS "isDisputed", c.version`;
  return rows.map((status) => ({ ...status, version: Number(status.version) }));
};

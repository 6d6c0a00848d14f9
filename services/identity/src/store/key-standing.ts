import type { AccountStatus, Tier } from '@tds/contracts';
import type { Db } from './database.ts';

export type FoundStanding = {
  readonly accountStatus: AccountStatus;
  readonly tier: Tier;
  readonly accountCreatedAt: Date;
  /** All of the key: null if the account has no such key. */
  readonly keyId: string | null;
  readonly revokeAt: Date | null;
  readonly endedAtOnce: boolean | null;
  readonly slot: number | null;
  readonly dailyCreditCap: number | null;
};

/**
 * The account, the key, and the cap that its work has now: that of the last of its successors, or of the newest live key in its
 * slot where that one is no live key. One statement. Null if there is no such account.
 */
export const findKeyStanding = async (
  db: Db,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string | null },
  now: Date,
): Promise<FoundStanding | null> => {
  const [found] = await db.$queryRaw<FoundStanding[]>`
    WITH RECURSIVE heirs AS (
      SELECT k.*, 0 AS step FROM api_keys k WHERE k.id = ${keyId}::uuid AND k.account_id = ${accountId}::uuid
      UNION ALL
      SELECT k.*, h.step + 1 FROM heirs h JOIN api_keys k ON k.id = h.replaced_by
    ), last_heir AS (SELECT id, slot, daily_credit_cap FROM heirs ORDER BY step DESC LIMIT 1), holder AS (
      SELECT k.daily_credit_cap FROM last_heir l JOIN api_keys k ON k.slot = l.slot
      WHERE k.account_id = ${accountId}::uuid AND k.replaced_by IS NULL
        AND (k.revoke_at IS NULL OR k.revoke_at > ${now}::timestamptz)
      ORDER BY k.id = l.id DESC, k.created_at DESC LIMIT 1
    )
    SELECT a.status AS "accountStatus", a.tier, a.created_at AS "accountCreatedAt", k.id AS "keyId",
      k.revoke_at AS "revokeAt", k.ended_at_once AS "endedAtOnce", k.slot,
      CASE WHEN EXISTS (SELECT FROM holder) THEN (SELECT daily_credit_cap FROM holder)
        ELSE (SELECT daily_credit_cap FROM last_heir) END AS "dailyCreditCap"
    FROM accounts a LEFT JOIN heirs k ON k.step = 0 WHERE a.id = ${accountId}::uuid`;
  return found ?? null;
};

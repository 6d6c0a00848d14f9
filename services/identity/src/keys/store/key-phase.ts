import type { AccountStatus, Tier } from '@tds/contracts';
import type { Db } from '../../store/database.ts';

export type FoundPhase = {
  readonly accountStatus: AccountStatus;
  readonly tier: Tier;
  readonly accountCreatedAt: Date;
  readonly accountName: string | null;
  /** Null, like all fields of the key, if the account has no such key. */
  readonly keyId: string | null;
  readonly revokeAt: Date | null;
  readonly endedAtOnce: boolean | null;
  readonly slot: number | null;
  /** Who has what a removed person passed on: it counts in the slot of their sessions. */
  readonly heirId: string | null;
  readonly dailyCreditCap: number | null;
  readonly isPersonCapped: boolean;
  readonly isPersonRemoved: boolean;
  /** Of an app. */
  readonly scope: string | null;
  /** The key of that cap; of what was passed on, a key of the heir's sessions, or null if they never had one. */
  readonly payingKeyId: string | null;
};

/** More people do not pass one work on; what a restore has put in a circle ends there. */
const MAX_HEIRS = 20;

/**
 * The account, the key, and the current cap of its work: that of its last successor, or, if the successor has ended, of the newest live key of
 * the same person in its slot that has no tighter cap. What a removed person passed on is work of another person's sessions: without a key's
 * cap, under that person's. One statement. Null if there is no such account.
 */
export const findKeyPhase = async (
  db: Db,
  { accountId, keyId }: { readonly accountId: string; readonly keyId: string | null },
  now: Date,
): Promise<FoundPhase | null> => {
  const [row] = await db.$queryRaw<FoundPhase[]>`
    WITH RECURSIVE heirs AS (
      SELECT k.*, 0 AS step FROM api_keys k WHERE k.id = ${keyId}::uuid AND k.account_id = ${accountId}::uuid
      UNION ALL
      SELECT k.*, h.step + 1 FROM heirs h JOIN api_keys k ON k.id = h.replaced_by
    ), last_heir AS (
      SELECT id, slot, daily_credit_cap, coalesce(person_id, account_id) AS person_id FROM heirs ORDER BY step DESC LIMIT 1
    ), passed AS (
      SELECT p.*, 0 AS step FROM people p JOIN last_heir l ON p.id = l.person_id
      UNION ALL
      SELECT p.*, h.step + 1 FROM passed h JOIN people p ON p.id = h.passed_to AND h.removed_at IS NOT NULL AND h.step < ${MAX_HEIRS}
    ), person AS (SELECT id, step > 0 AS is_heir, removed_at IS NULL AND daily_credit_cap IS NOT NULL AS is_capped
      FROM passed ORDER BY step DESC LIMIT 1
    ), passed_key AS (
      SELECT k.id FROM person p JOIN api_keys k ON coalesce(k.person_id, k.account_id) = p.id
      WHERE p.is_heir AND k.account_id = ${accountId}::uuid AND k.session_id IS NOT NULL ORDER BY k.created_at DESC LIMIT 1
    ), holder AS (
      SELECT k.id, k.daily_credit_cap FROM last_heir l JOIN api_keys k ON k.slot = l.slot
      WHERE k.account_id = ${accountId}::uuid AND k.replaced_by IS NULL
        AND (k.id = l.id OR (coalesce(k.person_id, k.account_id) = l.person_id
          AND (k.daily_credit_cap IS NULL OR k.daily_credit_cap >= l.daily_credit_cap)))
        AND (k.revoke_at IS NULL OR k.revoke_at > ${now}::timestamptz)
      ORDER BY k.id = l.id DESC, k.created_at DESC LIMIT 1
    )
    SELECT a.status AS "accountStatus", a.tier, a.created_at AS "accountCreatedAt", a.name AS "accountName",
      k.id AS "keyId",
      coalesce((SELECT is_capped FROM person), false) AS "isPersonCapped",
      EXISTS (SELECT FROM people p WHERE p.id = coalesce(k.person_id, k.account_id) AND p.removed_at IS NOT NULL)
        AS "isPersonRemoved", k.scope, k.revoke_at AS "revokeAt", k.ended_at_once AS "endedAtOnce",
      k.slot, (SELECT id FROM person WHERE is_heir) AS "heirId",
      CASE WHEN (SELECT is_heir FROM person) THEN (SELECT id FROM passed_key)
        ELSE coalesce((SELECT id FROM holder), (SELECT id FROM last_heir)) END AS "payingKeyId",
      CASE WHEN (SELECT is_heir FROM person) THEN NULL WHEN EXISTS (SELECT FROM holder) THEN (SELECT daily_credit_cap FROM holder)
        ELSE (SELECT daily_credit_cap FROM last_heir) END AS "dailyCreditCap"
    FROM accounts a LEFT JOIN heirs k ON k.step = 0 WHERE a.id = ${accountId}::uuid`;
  return row ?? null;
};

/** Whether the account has this key, without a cap, and it is no app's. */
export const isUnbounded = async (db: Db, accountId: string, id: string): Promise<boolean> =>
  (await db.apiKey.count({ where: { id, accountId, scope: null, dailyCreditCap: null } })) > 0;

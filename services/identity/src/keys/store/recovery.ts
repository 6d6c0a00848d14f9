import type { identity, PayloadOf } from '@tds/contracts';
import type { Db } from '../../store/database.ts';
import type { KeyWithDigest } from './api-keys.ts';

type KeyFacts = PayloadOf<typeof identity.keyChanged> & {
  /** The end of an ending key, unless it ends before. */
  readonly endsAt: Date;
};

/** Saves newer facts of a key. Null if the key's are newer, or the key is unknown. */
export const restoreKeyFacts = async (
  db: Db,
  { keyId, keyVersion, keyState, dailyCreditCap, overLimit, endsAt }: KeyFacts,
  now: Date,
): Promise<KeyWithDigest | null> => {
  const [key] = await db.$queryRaw<KeyWithDigest[]>`
    UPDATE api_keys SET version = ${keyVersion}::int, daily_credit_cap = ${dailyCreditCap}::int,
      changed_at = ${now}::timestamptz, over_limit = ${overLimit === true},
      revoke_at = CASE WHEN ${keyState} = 'ending' THEN least(revoke_at, ${endsAt}::timestamptz)
        WHEN over_limit THEN NULL ELSE revoke_at END
    WHERE id = ${keyId}::uuid AND version < ${keyVersion}::int
    RETURNING id, account_id AS "accountId", sealed_digest AS "encryptedDigest"`;
  return key ?? null;
};

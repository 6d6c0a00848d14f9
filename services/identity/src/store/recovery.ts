import type { identity, PayloadOf, VersionedChoices } from '@tds/contracts';
import type { AccountState } from './accounts.ts';
import type { SealedKey } from './api-keys.ts';
import type { Db } from './database.ts';

type KeyFacts = PayloadOf<typeof identity.keyChanged> & {
  /** The end of an ending key, unless it ends before. */
  readonly endsAt: Date;
};

/** Saves newer facts of a key. Null if the key's are newer, or the key is unknown. */
export const restoreKeyFacts = async (
  db: Db,
  { keyId, keyVersion, keyState, dailyCreditCap, overLimit, endsAt }: KeyFacts,
  now: Date,
): Promise<SealedKey | null> => {
  const [key] = await db.$queryRaw<SealedKey[]>`
    UPDATE api_keys SET version = ${keyVersion}::int, daily_credit_cap = ${dailyCreditCap}::int,
      changed_at = ${now}::timestamptz, over_limit = ${overLimit === true},
      revoke_at = CASE WHEN ${keyState} = 'ending' THEN least(revoke_at, ${endsAt}::timestamptz)
        WHEN over_limit THEN NULL ELSE revoke_at END
    WHERE id = ${keyId}::uuid AND version < ${keyVersion}::int
    RETURNING id, account_id AS "accountId", sealed_digest AS "sealedDigest"`;
  return key ?? null;
};

type Status = AccountState & { readonly accountId: string; readonly version: number };

/** Saves a newer status of an account. False if the account's is newer, or the account is unknown. */
export const restoreStatus = async (
  db: Db,
  { accountId, version, ...state }: Status,
  now: Date,
): Promise<boolean> => {
  const { count } = await db.account.updateMany({
    where: { id: accountId, statusVersion: { lt: version } },
    data: { ...state, statusVersion: version, statusChangedAt: now },
  });
  return count === 1;
};

/** Saves newer choices about mail. */
export const restoreMailChoices = async (
  db: Db,
  { accountId: id, version: mailVersion, ...choices }: VersionedChoices,
) => {
  const {
    time_zone: timeZone,
    digest_hour: digestHour,
    digest_day: digestDay,
    event_mails: eventMails,
  } = choices;
  const day = digestDay === undefined ? {} : { digestDay };
  const data = { timeZone, digestHour, ...day, eventMails, mailVersion };
  await db.account.updateMany({ where: { id, mailVersion: { lt: mailVersion } }, data });
};

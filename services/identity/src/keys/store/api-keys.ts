import type { PrincipalRow } from '../../domain/principal.ts';
import type { Bytes } from '../../domain/vault.ts';
import type { Db } from '../../store/database.ts';
import { Prisma } from '../../store/prisma/client.ts';
import { worksAt } from './account-keys.ts';

type KeyRow = Prisma.ApiKeyGetPayload<object>;

export type NewKey = Pick<
  KeyRow,
  'id' | 'accountId' | 'personId' | 'name' | 'prefix' | 'dailyCreditCap' | 'slot' | 'createdAt'
> &
  Pick<KeyRow, 'keyedDigest' | 'encryptedDigest'> & {
    /** The session of a dashboard key. */
    readonly sessionId?: string;
    /** What the connected app of the key may do. */
    readonly scope?: string;
  };

export const insertKey = (db: Db, key: NewKey) => db.apiKey.create({ data: key });

type LiveKey = PrincipalRow & {
  readonly keyId: string;
  /** `revokeAt`, or the end of its session or its access token if that is earlier. */
  readonly endsAt: Date | null;
  readonly lastUsedAt: Date | null;
};

/** What an access token may do: of its own scope, what its connection may now. */
const tokenScope = Prisma.sql`
  CASE WHEN k.scope IS NULL OR t.scope IS NULL THEN k.scope ELSE (
    SELECT coalesce(string_agg(s.name, ' ' ORDER BY s.place), '')
    FROM unnest(string_to_array(t.scope, ' ')) WITH ORDINALITY AS s (name, place)
    WHERE s.name = ANY (string_to_array(k.scope, ' '))) END`;

const liveKeyColumns = Prisma.sql`
  k.id AS "keyId", k.version AS "keyVersion", k.slot, k.daily_credit_cap AS "dailyCreditCap",
  a.id AS "accountId", a.status, a.tier, a.created_at AS "accountCreatedAt", k.revoke_at AS "revokeAt",
  least(k.revoke_at, s.idle_expires_at, s.expires_at, t.expires_at) AS "endsAt", k.last_used_at AS "lastUsedAt",
  ${tokenScope} AS scope, p.id AS "personId", p.role,
  p.daily_credit_cap IS NOT NULL AS "isPersonCapped", k.session_id IS NOT NULL AS "isOfSession"`;

/** A connected app authenticates by its access tokens. */
const accessTokens = Prisma.sql`
  LEFT JOIN connections c ON c.key_id = k.id LEFT JOIN grant_records t ON t.grant_id = c.grant_id AND t.kind = 'AccessToken'`;

const liveKeyTables = Prisma.sql`
  api_keys k JOIN accounts a ON a.id = k.account_id JOIN people p ON p.id = coalesce(k.person_id, k.account_id)
  LEFT JOIN sessions s ON s.id = k.session_id ${accessTokens}`;

/**
 * Whether the key works at `now`. A revocation without delay counts at once, even if the clock of this instance is behind. A dashboard key
 * works while its session lives, that of a connected app until its access token expires.
 */
const authenticatesAt = (now: Date) => Prisma.sql`((k.revoke_at IS NULL
  OR (k.revoke_at > ${now}::timestamptz AND k.revoke_at > coalesce(k.changed_at, k.created_at)))
  AND (k.session_id IS NULL OR (s.idle_expires_at > ${now}::timestamptz AND s.expires_at > ${now}::timestamptz))
  AND (t.keyed_digest IS NULL OR t.expires_at > ${now}::timestamptz)
  AND p.removed_at IS NULL)`;

/**
 * Unknown and revoked keys are both null, from one statement, so that they look the same. A key of a closed account is found, so that
 * the answer can say so.
 */
export const findLiveKey = async (db: Db, keyedDigest: Bytes, now: Date): Promise<LiveKey | null> => {
  const [key] = await db.$queryRaw<LiveKey[]>`
    SELECT ${liveKeyColumns} FROM ${liveKeyTables}
    WHERE k.id = (SELECT id FROM api_keys WHERE keyed_digest = ${keyedDigest} UNION ALL
        SELECT key_id FROM grant_records JOIN connections USING (grant_id)
        WHERE kind = 'AccessToken' AND keyed_digest = ${keyedDigest} LIMIT 1)
      AND (t.keyed_digest IS NULL OR t.keyed_digest = ${keyedDigest})
      AND (${authenticatesAt(now)} OR (a.status = 'closed' AND k.revoke_at = a.status_changed_at))`;
  return key ?? null;
};

/** Times never move back. */
export const markKeyUsed = (db: Db, id: string, now: Date) =>
  db.apiKey.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: now } }] },
    data: { lastUsedAt: now },
  });

export type KeyWithDigest = {
  readonly id: string;
  readonly accountId: string;
  readonly encryptedDigest: Bytes;
};
export type ChangingKey = KeyWithDigest &
  Pick<LiveKey, 'keyVersion' | 'dailyCreditCap' | 'revokeAt'> & {
    readonly overLimit: boolean;
    /** Of an app, if it was read. */
    readonly scope?: string | null;
  };

const digestColumns = { id: true, accountId: true, encryptedDigest: true } as const;
const changingColumns = {
  ...digestColumns,
  version: true,
  dailyCreditCap: true,
  revokeAt: true,
  overLimit: true,
  scope: true,
} as const;

const toChangingKey = ({
  version: keyVersion,
  ...key
}: Omit<ChangingKey, 'keyVersion'> & { readonly version: number }): ChangingKey => ({ ...key, keyVersion });

/**
 * Revokes at `revokeAt`, or at the earlier end that a lower tier set; that end is then final. Marks the end as emitted if it is now. Null if
 * the key ends by then anyway.
 */
export const updateRevocation = async (
  db: Db,
  { keyId, revokeAt, atOnce }: { keyId: string; revokeAt: Date; atOnce: boolean },
  now: Date,
): Promise<ChangingKey | null> => {
  const [key] = await db.$queryRaw<ChangingKey[]>`
    UPDATE api_keys SET revoke_at = least(revoke_at, ${revokeAt}::timestamptz), over_limit = false, ended_at_once = ${atOnce},
      end_announced = ${revokeAt <= now}, changed_at = ${now}::timestamptz, version = version + 1
    WHERE id = ${keyId}::uuid AND (revoke_at IS NULL OR revoke_at > ${revokeAt}::timestamptz
      OR (over_limit AND revoke_at > ${now}::timestamptz))
    RETURNING id, account_id AS "accountId", sealed_digest AS "encryptedDigest", version AS "keyVersion",
      daily_credit_cap AS "dailyCreditCap", revoke_at AS "revokeAt", over_limit AS "overLimit"`;
  return key ?? null;
};

type ChangedKey = LiveKey & { readonly encryptedDigest: Bytes; readonly works: boolean };

/** Keys whose projected entries may be wrong: changed, revoked by the clock, or of an account that changed. */
export const findChangedKeys = (db: Db, since: Date, now: Date): Promise<ChangedKey[]> =>
  db.$queryRaw<ChangedKey[]>`
  SELECT ${liveKeyColumns}, coalesce(t.sealed_digest, k.sealed_digest) AS "encryptedDigest", ${authenticatesAt(now)} AS works
  FROM ${liveKeyTables}
  WHERE k.id IN (
    SELECT id FROM api_keys WHERE changed_at > ${since}::timestamptz
    UNION ALL
    SELECT id FROM api_keys WHERE revoke_at > ${since}::timestamptz AND revoke_at <= ${now}::timestamptz
    UNION ALL
    SELECT k.id FROM api_keys k JOIN accounts a ON a.id = k.account_id
    WHERE a.status_changed_at > ${since}::timestamptz
    UNION ALL
    SELECT k.id FROM api_keys k JOIN accounts a ON a.id = k.account_id
    WHERE a.tier_changed_at > ${since}::timestamptz
    UNION ALL
    SELECT k.id FROM people c JOIN api_keys k ON k.account_id = c.account_id AND coalesce(k.person_id, k.account_id) = c.id
    WHERE c.changed_at > ${since}::timestamptz)`;

export const findChangingKey = async (db: Db, id: string): Promise<ChangingKey> =>
  toChangingKey(await db.apiKey.findUniqueOrThrow({ where: { id }, select: changingColumns }));

/** The working key of a session. */
export const findKeyOfSession = (
  db: Db,
  { accountId, sessionId }: { readonly accountId: string; readonly sessionId: string },
): Promise<(KeyWithDigest & { readonly prefix: string }) | null> =>
  db.apiKey.findFirst({
    where: { accountId, sessionId, revokeAt: null },
    select: { ...digestColumns, prefix: true },
  });

/** A connected app has one entry for each of its access tokens. */
export const findKeysOfAccounts = (db: Db, accountIds: readonly string[]): Promise<KeyWithDigest[]> =>
  db.$queryRaw<KeyWithDigest[]>`
    SELECT k.id, k.account_id AS "accountId", coalesce(t.sealed_digest, k.sealed_digest) AS "encryptedDigest"
    FROM api_keys k ${accessTokens} WHERE k.account_id = ANY (${accountIds}::uuid[])`;

/** Live keys with this display prefix; keys of several accounts may share it. */
export const findKeysByPrefix = (db: Db, prefix: string, now: Date): Promise<{ id: string; name: string }[]> =>
  db.apiKey.findMany({ where: { prefix, ...worksAt(now) }, select: { id: true, name: true } });

const PAGE = 500;

export type EndToEmit = { readonly id: string; readonly revokeAt: Date };

/** Keys whose grace has ended without an event yet, in the order of the index that has only them. */
export const findEndsToEmit = (db: Db, now: Date, after: EndToEmit | null): Promise<EndToEmit[]> =>
  db.$queryRaw<EndToEmit[]>`
    SELECT id, revoke_at AS "revokeAt" FROM api_keys
    WHERE NOT end_announced AND revoke_at <= ${now}::timestamptz
      AND (${after === null} OR (revoke_at, id) > (${after?.revokeAt}::timestamptz, ${after?.id}::uuid))
    ORDER BY revoke_at, id LIMIT ${PAGE}`;

/** Marks ends as emitted. Returns the keys that were not marked before; the caller emits them in this transaction. */
export const markEmitted = (
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; accountId: string; encryptedDigest: Bytes }[]> =>
  db.apiKey.updateManyAndReturn({
    where: { id: { in: [...ids] }, endAnnounced: false },
    data: { endAnnounced: true },
    select: { id: true, accountId: true, encryptedDigest: true },
  });

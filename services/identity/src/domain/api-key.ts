import { type ApiKey, HOUR_MS, KEY_GRACE_HOURS, type KeyPhase, MINUTE_MS } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import { later } from './time.ts';

/** A use is saved once a minute at most. */
const MARK_EVERY_MS = MINUTE_MS;

/** When a key ends, and its successor by a rotation. */
export type KeyEnd = { readonly revokeAt: Date | null; readonly replacedBy: string | null };

/** A key as the database has it, without its digests. */
export type StoredKey = KeyEnd & {
  readonly id: string;
  readonly accountId: string;
  /** Null is the first person. */
  readonly personId: string | null;
  readonly name: string;
  readonly prefix: string;
  readonly dailyCreditCap: number | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  /** The slot under which daily limits count. */
  readonly slot: number;
  /** Whether it ends because the tier allows fewer keys. */
  readonly overLimit: boolean;
};

/** The fields of a new key. */
export const neverEnding = { lastUsedAt: null, revokeAt: null, replacedBy: null, overLimit: false } as const;

export const statusOf = ({ revokeAt }: Pick<KeyEnd, 'revokeAt'>, now: Date): ApiKey['status'] => {
  if (revokeAt === null) return 'active';
  return revokeAt > now ? 'revoking' : 'revoked';
};

/** The end of a key that is rotated now. */
export const endOfGrace = (now: Date): Date => later(now, KEY_GRACE_HOURS * HOUR_MS);

/** The rejection of changes by a key, or null. A rotated or revoking key may have leaked. */
export const refusedAsker = (asker: KeyEnd, now: Date): ServiceError | null => {
  const status = statusOf(asker, now);
  if (status === 'active') return null;
  return serviceError(status === 'revoking' ? 'key_is_ending' : 'invalid_api_key');
};

export const isUseWorthMarking = (lastUsedAt: Date | null, now: Date): boolean =>
  lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= MARK_EVERY_MS;

const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;

export const toApiKey = (key: StoredKey, now: Date): ApiKey => {
  const status = statusOf(key, now);
  return {
    id: key.id,
    person_id: key.personId ?? key.accountId,
    name: key.name,
    prefix: key.prefix,
    daily_credit_cap: key.dailyCreditCap,
    status,
    created_at: key.createdAt.toISOString(),
    last_used_at: isoOrNull(key.lastUsedAt),
    revokes_at: status === 'revoking' ? isoOrNull(key.revokeAt) : null,
    revoked_at: status === 'revoked' ? isoOrNull(key.revokeAt) : null,
    replaced_by: key.replacedBy,
  };
};

type EndedKey = { readonly revokeAt: Date | null; readonly endedAtOnce: boolean };

/** The phase of a key's work; null is a key that the account never had. */
export const toPhase = (key: EndedKey | null, now: Date): KeyPhase => {
  if (key === null || key.endedAtOnce) return 'revoked';
  const status = statusOf(key, now);
  if (status === 'active') return 'active';
  return status === 'revoking' ? 'ending' : 'retired';
};

import type { ApiKey } from '@tds/contracts';

/** When a key ends, and whether a rotation put another in its place. */
export type KeyEnd = { readonly revokeAt: Date | null; readonly replacedBy: string | null };

/** A key as the database has it, without its digests. */
export type StoredKey = KeyEnd & {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly dailyCreditCap: number | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  /** The key under which the limits of a day count where it is another one. */
  readonly limitId: string | null;
};

/** What a key that takes this one's place counts under. */
export const limitIdOf = ({ id, limitId }: Pick<StoredKey, 'id' | 'limitId'>): string => limitId ?? id;

export const statusOf = ({ revokeAt }: Pick<KeyEnd, 'revokeAt'>, now: Date): ApiKey['status'] => {
  if (revokeAt === null) return 'active';
  return revokeAt > now ? 'revoking' : 'revoked';
};

const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;

export const toApiKey = (key: StoredKey, now: Date): ApiKey => {
  const status = statusOf(key, now);
  const { id, name, prefix, dailyCreditCap, replacedBy } = key;
  return {
    ...{ id, name, prefix, dailyCreditCap, status, replacedBy },
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: isoOrNull(key.lastUsedAt),
    revokesAt: status === 'revoking' ? isoOrNull(key.revokeAt) : null,
    revokedAt: status === 'revoked' ? isoOrNull(key.revokeAt) : null,
  };
};

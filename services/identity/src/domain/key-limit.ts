import { type ServiceError, serviceError, type Tier, tierLimits } from '@tds/contracts';
import { type KeyEnd, statusOf } from './api-key.ts';
import { DAY_MS, later, SECOND_MS, secondsUntil } from './time.ts';

/** Without it, a new key for every hundred requests would get round all limits per key. */
export const NEW_KEYS_PER_DAY = 50;

/** Live keys work and have no successor: a key in the grace of a rotation does not count against the limit. */
const isLive = (key: KeyEnd, now: Date): boolean =>
  statusOf(key, now) !== 'revoked' && key.replacedBy === null;
const isInGrace = (key: KeyEnd, now: Date): boolean =>
  statusOf(key, now) === 'revoking' && key.replacedBy !== null;

export const countLiveKeys = (keys: readonly KeyEnd[], now: Date): number =>
  keys.filter((key) => isLive(key, now)).length;

export const keyLimitOf = (tier: Tier): number => tierLimits[tier].liveKeys;

/** Seconds until enough of these keys have ended by themselves for one more; undefined if they never do. */
const secondsUntilRoom = (keys: readonly KeyEnd[], limit: number, now: Date): number | undefined => {
  const ends = keys
    .flatMap(({ revokeAt }) => (revokeAt === null ? [] : [revokeAt]))
    .sort((one, other) => one.getTime() - other.getTime());
  const end = ends[keys.length - limit];
  return end && secondsUntil(end, now);
};

/** Every 429 names a wait; the text says that waiting does not help here. */
const neverByItself = {
  message:
    'The account has as many live keys as its tier allows, and none of them ends by itself. Revoke one or move to a higher tier: waiting does not help.',
  retryAfterSeconds: DAY_MS / SECOND_MS,
};

const refusal = (
  keys: readonly KeyEnd[],
  limit: number,
  now: Date,
  message?: string,
): ServiceError | null => {
  if (keys.length < limit) return null;
  const retryAfterSeconds = secondsUntilRoom(keys, limit, now);
  if (retryAfterSeconds === undefined) return serviceError('key_limit', neverByItself);
  return serviceError('key_limit', { ...(message && { message }), retryAfterSeconds });
};

/** Why an account with these keys may not have one more; null if it may. */
export const refusedNewKey = (keys: readonly KeyEnd[], tier: Tier, now: Date): ServiceError | null =>
  refusal(
    keys.filter((key) => isLive(key, now)),
    keyLimitOf(tier),
    now,
  );

/** Why none of these keys may be rotated: as many replaced keys still work as the tier has live ones. */
export const refusedRotation = (keys: readonly KeyEnd[], tier: Tier, now: Date): ServiceError | null =>
  refusal(
    keys.filter((key) => isInGrace(key, now)),
    keyLimitOf(tier),
    now,
    'Too many replaced keys are in their 24 hours of grace. Revoke one of them, or wait.',
  );

/** Why no key may be added yet: the account has made so many within a day. `pacing` is the fiftieth newest of all. */
export const refusedPace = (pacing: { readonly createdAt: Date } | null, now: Date): ServiceError | null => {
  const clearsAt = pacing && later(pacing.createdAt, DAY_MS);
  if (!clearsAt || clearsAt <= now) return null;
  return serviceError('key_limit', {
    message: `An account makes at most ${NEW_KEYS_PER_DAY} new keys within 24 hours.`,
    retryAfterSeconds: secondsUntil(clearsAt, now),
  });
};

import { createHash } from 'node:crypto';
import { DAY_MS, MAX_CONNECTIONS, SECOND_MS, type Tier, tierLimits } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import { type KeyEnd, type StoredKey, statusOf } from './api-key.ts';
import { later, secondsUntil } from './time.ts';

/** Of one person. Prevents new keys from bypassing the limits per key. */
export const NEW_KEYS_PER_DAY = 50;
/** So many of a person are new in a day with those of rotations: a leaked key is replaced whatever else was created. */
export const KEYS_AND_ROTATIONS_PER_DAY = 2 * NEW_KEYS_PER_DAY;
/** One person's of the places of an account that has several people. */
export const CONNECTIONS_OF_ONE = MAX_CONNECTIONS / 2;
/** All members' together: two places are left to owners. */
export const CONNECTIONS_OF_MEMBERS = MAX_CONNECTIONS - 2;
export const NEW_CONNECTIONS_PER_DAY = 50;

/** Live keys work and have no successor: a key in the grace of a rotation does not count against the limit. */
const isLive = (key: KeyEnd, now: Date): boolean => statusOf(key, now) !== 'revoked' && key.replacedBy === null;
const isInGrace = (key: KeyEnd, now: Date): boolean =>
  statusOf(key, now) === 'revoking' && key.replacedBy !== null;

export const countLiveKeys = (keys: readonly KeyEnd[], now: Date): number =>
  keys.filter((key) => isLive(key, now)).length;

export const keyLimitOf = (tier: Tier): number => tierLimits[tier].liveKeys;

/** Seconds until enough of these keys have ended for one more; undefined if they never end by themselves. */
const secondsUntilRoom = (keys: readonly KeyEnd[], limit: number, now: Date): number | undefined => {
  const ends = keys
    .flatMap(({ revokeAt }) => (revokeAt === null ? [] : [revokeAt]))
    .sort((one, other) => one.getTime() - other.getTime());
  const end = ends[keys.length - limit];
  return end && secondsUntil(end, now);
};

/** Every 429 needs a wait; the message adds that waiting does not help. */
const neverByItself = {
  message:
    'The account has as many live keys as its tier allows, and none of them ends by itself. Revoke one or move to a higher tier: waiting does not help.',
  retryAfterSeconds: DAY_MS / SECOND_MS,
};

const refusal = (keys: readonly KeyEnd[], limit: number, now: Date, message?: string): ServiceError | null => {
  if (keys.length < limit) return null;
  const retryAfterSeconds = secondsUntilRoom(keys, limit, now);
  if (retryAfterSeconds === undefined) return serviceError('key_limit', neverByItself);
  return serviceError('key_limit', { ...(message && { message }), retryAfterSeconds });
};

/** The rejection of one more key, or null. */
export const refusedNewKey = (keys: readonly KeyEnd[], tier: Tier, now: Date): ServiceError | null =>
  refusal(
    keys.filter((key) => isLive(key, now)),
    keyLimitOf(tier),
    now,
  );

/** The rejection of a rotation, or null: as many replaced keys may work as the tier has live ones. */
export const refusedRotation = (keys: readonly KeyEnd[], tier: Tier, now: Date): ServiceError | null =>
  refusal(
    keys.filter((key) => isInGrace(key, now)),
    keyLimitOf(tier),
    now,
    'Too many replaced keys are in their 24 hours of grace. Revoke one of them, or wait.',
  );

/** The rejection of a new key by its pace, or null. `pacing` is the n-th newest of all keys of the person, which allows n a day. */
export const refusedPace = (pacing: { readonly createdAt: Date } | null, now: Date): ServiceError | null => {
  const clearsAt = pacing && later(pacing.createdAt, DAY_MS);
  if (!clearsAt || clearsAt <= now) return null;
  return serviceError('key_limit', {
    message: `A person makes at most ${NEW_KEYS_PER_DAY} new keys within 24 hours, and rotates as many besides.`,
    retryAfterSeconds: secondsUntil(clearsAt, now),
  });
};

/** Credits a UTC day; null is no cap. */
type DailyCap = number | null;
type CappedKey = { readonly id: string; readonly dailyCreditCap: DailyCap };

const isLooser = (newCap: DailyCap, currentCap: DailyCap): boolean =>
  currentCap !== null && (newCap === null || newCap > currentCap);

/** The rejection of a cap that a key, or null for a session, sets on a key; null if it may. Undefined keeps the cap. */
export const refusedCap = (
  asker: CappedKey | null,
  newCap: DailyCap | undefined,
  currentCap: DailyCap,
): ServiceError | null =>
  asker !== null && newCap !== undefined && isLooser(newCap, currentCap)
    ? serviceError('cap_needs_session')
    : null;

/** The same for a new key: a capped key creates keys with at most its own cap. */
export const refusedCapOfNew = (asker: CappedKey | null, newCap: DailyCap): ServiceError | null => {
  if (asker === null || !isLooser(newCap, asker.dailyCreditCap)) return null;
  return serviceError('cap_needs_session', {
    message: `This key may spend ${asker.dailyCreditCap} credits a day, and a key that it creates no more than that. Send such a daily_credit_cap, or use a session.`,
  });
};

/** The same for a rotation. A capped key rotates only itself, because the new secret gives access to the other key's credits. */
export const refusedCapOfRotation = (
  asker: CappedKey | null,
  newCap: DailyCap | undefined,
  rotated: CappedKey,
): ServiceError | null => {
  if (asker === null || asker.dailyCreditCap === null || asker.id === rotated.id)
    return refusedCap(asker, newCap, rotated.dailyCreditCap);
  return serviceError('cap_needs_session', {
    message: 'A key with a daily credit cap rotates itself only. Use a session for other keys.',
  });
};

/**
 * The rejection of a capped key that changes or ends another one, whose work would end, or an app (null); null for itself, what it replaces, and
 * keys that it has created: newer ones that share its slot.
 */
export const refusedOther = (asker: StoredKey | null, key: StoredKey | null): ServiceError | null => {
  if (asker === null || asker.dailyCreditCap === null || asker.id === key?.id) return null;
  const isOwn = asker.slot === key?.slot && (key.createdAt > asker.createdAt || key.replacedBy !== null);
  return isOwn ? null : serviceError('begun_by_another_key');
};

/** A slot of an account; slots are numbered in the order of their creation, without gaps. */
export type Slot = { readonly slot: number; readonly isHeld: boolean; readonly freeSince: Date | null };
type Holder = { readonly accountId: string; readonly tier: Tier };

const nameOf = (accountId: string, slot: number): string => {
  const hex = createHash('sha256').update(`slot ${slot} of ${accountId}`).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
};

/** All dashboard keys of an account count in this one slot, so that no number of sessions brings a second day. */
export const DASHBOARD_SLOT = 32_767;

/** Slots of connected apps, each of which has limits of its own: as many as connections live at once. */
const CONNECTION_SLOTS = 32_000;

/** The tier limits the slots: after a fall from a higher tier, further slots share the limits of the first ones. */
const counted = (slot: number, tier: Tier): number =>
  slot >= CONNECTION_SLOTS ? slot : slot % keyLimitOf(tier);

/** The id under which the daily limits of a slot count. */
export const limitIdOf = ({ accountId, tier }: Holder, slot: number): string =>
  nameOf(accountId, counted(slot, tier));

/** The slot of a new key: the longest free one whose limits no live key shares, or a new one. */
export const chooseSlot = (slots: readonly Slot[], tier: Tier): number => {
  const held = new Set(slots.filter(({ isHeld }) => isHeld).map(({ slot }) => counted(slot, tier)));
  const free = slots
    .filter(({ slot, isHeld }) => !isHeld && !held.has(counted(slot, tier)))
    .sort((one, other) => Number(one.freeSince) - Number(other.freeSince) || one.slot - other.slot);
  return free[0]?.slot ?? slots.length;
};

/** The slot of a new connection: the longest free one, which brings today's use, only if none is unused. */
export const chooseConnectionSlot = (slots: readonly Slot[]): number => {
  if (slots.length < MAX_CONNECTIONS) return CONNECTION_SLOTS + slots.length;
  const free = slots
    .filter(({ isHeld }) => !isHeld)
    .sort((one, other) => Number(one.freeSince) - Number(other.freeSince));
  return free[0]?.slot ?? CONNECTION_SLOTS;
};

/** How many of the connections of an account are a person's, if it has other people. */
type Share = {
  readonly own: number;
  readonly hasOthers: boolean;
  /** Those of all members, for a member who asks; 0 for an owner. */
  readonly ofMembers: number;
};

/** The rejection of one more connection, or null: one person, or all members, never take all places from the others. */
export const refusedConnection = (
  slots: readonly Slot[],
  { own, hasOthers, ofMembers }: Share,
): ServiceError | null => {
  const isFull = slots.filter(({ isHeld }) => isHeld).length >= MAX_CONNECTIONS;
  const hasShare = hasOthers && own >= CONNECTIONS_OF_ONE;
  return isFull || hasShare || ofMembers >= CONNECTIONS_OF_MEMBERS
    ? serviceError('connection_limit', { retryAfterSeconds: DAY_MS / SECOND_MS })
    : null;
};

/** The slot of a key that a capped key creates: its own, so that the cap applies to both together. Null otherwise. */
export const sharedSlot = (asker: Pick<StoredKey, 'slot' | 'dailyCreditCap'> | null): number | null =>
  asker === null || asker.dailyCreditCap === null ? null : asker.slot;

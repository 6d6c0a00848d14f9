import { createHash } from 'node:crypto';
import type { Tier } from '@tds/contracts';
import type { StoredKey } from './api-key.ts';
import { keyLimitOf } from './key-limit.ts';

/** A slot of an account; slots are numbered in the order in which they were made, without gaps. */
export type Slot = { readonly slot: number; readonly isHeld: boolean; readonly freeSince: Date | null };
type Holder = { readonly accountId: string; readonly tier: Tier };

const nameOf = (accountId: string, slot: number): string => {
  const hex = createHash('sha256').update(`slot ${slot} of ${accountId}`).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
};

/** As many slots count as the tier has: after a higher one its further slots share the days of the first. */
const counted = (slot: number, tier: Tier): number => slot % keyLimitOf(tier);

/** The name under which the limits of a day count for a key of this slot. */
export const limitIdOf = ({ accountId, tier }: Holder, slot: number): string =>
  nameOf(accountId, counted(slot, tier));

/** The slot of a new key: the one that has been free for longest, whose day no live key shares; else a new one. */
export const chooseSlot = (slots: readonly Slot[], tier: Tier): number => {
  const held = new Set(slots.filter(({ isHeld }) => isHeld).map(({ slot }) => counted(slot, tier)));
  const free = slots
    .filter(({ slot, isHeld }) => !isHeld && !held.has(counted(slot, tier)))
    .sort((one, other) => Number(one.freeSince) - Number(other.freeSince) || one.slot - other.slot);
  return free[0]?.slot ?? slots.length;
};

/** The slot of a key that another one makes, if it has no choice: a capped key shares its own, so that its cap holds for both together. */
export const sharedSlot = (asker: Pick<StoredKey, 'slot' | 'dailyCreditCap'> | null): number | null =>
  asker === null || asker.dailyCreditCap === null ? null : asker.slot;

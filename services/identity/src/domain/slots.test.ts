import { describe, expect, it } from '@jest/globals';
import { uuid } from '@tds/contracts';
import { chooseSlot, limitIdOf, type Slot } from './key-limits.ts';

const accountId = '00000000-0000-4000-8000-000000000001';
const held = (slot: number): Slot => ({ slot, isHeld: true, freeSince: null });
const free = (slot: number, since: number): Slot => ({ slot, isHeld: false, freeSince: new Date(since) });
const names = (tier: 'free' | 'paid', slots: readonly number[]) =>
  new Set(slots.map((slot) => limitIdOf({ accountId, tier }, slot)));

describe('the slots of an account', () => {
  it('count as many days as the tier has keys, however many slots exist', () => {
    const all = [0, 1, 2, 3, 4];
    expect(names('paid', all).size).toBe(5);
    expect(names('free', all).size).toBe(2);
    expect([...names('paid', all)]).toEqual(expect.arrayContaining([...names('free', all)]));
  });

  it('have ids as names, which no other account has', () => {
    const mine = limitIdOf({ accountId, tier: 'free' }, 0);
    expect(uuid.parse(mine)).toBe(mine);
    expect(limitIdOf({ accountId: accountId.replace(/1$/, '2'), tier: 'free' }, 0)).not.toBe(mine);
  });

  it.each<[string, readonly Slot[], 'free' | 'paid', number]>([
    ['a new one', [held(0)], 'free', 1],
    ['the one that has been free for longest', [free(0, 2), free(1, 1), held(2)], 'paid', 1],
    ['one whose day no live key shares', [held(0), free(1, 9), free(2, 1), free(3, 5)], 'free', 3],
    ['the first of all', [], 'free', 0],
  ])('give a new key %s', (_which, slots, tier, slot) => {
    expect(chooseSlot(slots, tier)).toBe(slot);
  });
});

import { describe, expect, it } from '@jest/globals';
import { CREDIT_BLOCKS } from '@tds/contracts';
import fc from 'fast-check';
import { computeWorth, hasLedgerItsWorth, type PurchaseMoney } from './purchase.ts';

const paid: PurchaseMoney = { block: 20, amount: 900, refunded: 0, disputed: 0, isTakenBack: false };
const money = fc.nat(100_000);
const anyMoved = fc.record({
  block: fc.constantFrom(...CREDIT_BLOCKS),
  amount: fc.integer({ min: 1, max: 50_000 }),
  refunded: money,
  disputed: money,
  isTakenBack: fc.boolean(),
});

describe('the worth of a purchase', () => {
  it.each<[string, Partial<PurchaseMoney>, number]>([
    ['is all of it while no money has moved', {}, 20],
    ['is nothing once its money is refunded', { refunded: 900 }, 0],
    ['is nothing while a bank holds its money', { disputed: 900 }, 0],
    ['is never below nothing', { refunded: 900, disputed: 900 }, 0],
    ['is nothing if a bank takes more than was paid', { disputed: 5_000 }, 0],
    ['is nothing once the block is taken back, before money moves', { isTakenBack: true }, 0],
    ['shrinks with a part of the money, in whole credits and not to our loss', { refunded: 460 }, 9],
    ['shrinks by a whole credit for the smallest part of the money', { disputed: 1 }, 19],
    ['shrinks by refunds and disputes together', { refunded: 450, disputed: 225 }, 5],
  ])('%s', (_title, moved, net) => {
    expect(computeWorth({ ...paid, ...moved })).toBe(net);
  });

  it('is a whole number from nothing to the block, whatever has moved', () => {
    fc.assert(
      fc.property(anyMoved, (moved) => {
        const worth = computeWorth(moved);
        expect(Number.isInteger(worth) && worth >= 0 && worth <= moved.block).toBe(true);
      }),
    );
  });

  it('never grows when more money has moved', () => {
    fc.assert(
      fc.property(anyMoved, money, (moved, more) => {
        expect(computeWorth({ ...moved, disputed: moved.disputed + more })).toBeLessThanOrEqual(
          computeWorth(moved),
        );
        expect(computeWorth({ ...moved, refunded: moved.refunded + more })).toBeLessThanOrEqual(
          computeWorth(moved),
        );
      }),
    );
  });

  it('never exceeds the money left', () => {
    fc.assert(
      fc.property(anyMoved, (moved) => {
        const left = Math.max(0, moved.amount - moved.refunded - moved.disputed);
        expect(computeWorth(moved) * moved.amount).toBeLessThanOrEqual(left * moved.block);
      }),
    );
  });

  it('is the same whether a bank or the owner moved the money', () => {
    fc.assert(
      fc.property(anyMoved, (moved) => {
        const other = { ...moved, refunded: moved.disputed, disputed: moved.refunded };
        expect(computeWorth(other)).toBe(computeWorth(moved));
      }),
    );
  });
});

describe('a purchase is settled', () => {
  const own = { ...paid, accountId: 'a', grantedAt: new Date(0) };
  const waiting = { ...paid, accountId: null, grantedAt: null };

  it.each<[string, Parameters<typeof hasLedgerItsWorth>[0], number, boolean]>([
    ['once the ledger has all of it', own, 20, true],
    ['not while the ledger has less', own, 19, false],
    ['not while the ledger has more', { ...own, disputed: 900 }, 20, false],
    ['once the ledger has taken it back', { ...own, disputed: 900 }, 0, true],
    ['not before we know that it was granted', { ...own, grantedAt: null }, 20, false],
    ['while it waits and the ledger has nothing', waiting, 0, true],
    ['not if the ledger has a block that waits here: its acceptance was lost', waiting, 20, false],
    ['if it was refunded before its acceptance', { ...waiting, refunded: 900 }, 0, true],
  ])('%s', (_title, purchase, net, expected) => {
    expect(hasLedgerItsWorth(purchase, net)).toBe(expected);
  });
});

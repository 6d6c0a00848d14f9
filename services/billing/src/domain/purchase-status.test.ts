import { describe, expect, it } from '@jest/globals';
import type { PurchaseStatus } from '@tds/contracts';
import fc from 'fast-check';
import { isRefundable, statusOf } from './purchase.ts';

const NOW = new Date('2026-01-15T12:00:00.000Z');
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000);
const none = { refunded: 0, disputed: 0, isTakenBack: false };

type Sold = Parameters<typeof statusOf>[0];
const open: Sold = { state: 'open', accountId: 'a', grantedAt: null, expiresAt: minutes(30) };
const paid: Sold = { ...open, state: 'paid', grantedAt: minutes(-1) };

describe('a customer is shown that a purchase', () => {
  it.each<[PurchaseStatus, string, Sold, Partial<typeof none>]>([
    ['open', 'has a page that waits to be paid', open, {}],
    ['open', 'has a page that is being opened', { ...open, state: 'opening' }, {}],
    [
      'expired',
      'has a page whose time is over, before the sweep has come by',
      { ...open, expiresAt: NOW },
      {},
    ],
    ['expired', 'was never paid', { ...open, state: 'expired' }, {}],
    ['processing', 'is being paid over days', { ...open, state: 'processing', expiresAt: minutes(-99) }, {}],
    ['processing', 'is paid, and the credits are to come', { ...paid, grantedAt: null }, {}],
    ['waiting', 'is a stranger`s, and to be accepted', { ...paid, accountId: null, grantedAt: null }, {}],
    ['paid', 'is paid, and the credits are there', paid, {}],
    ['refunded', 'was given back', paid, { refunded: 900 }],
    ['refunded', 'was given back in part', paid, { refunded: 1 }],
    ['refunded', 'is taken back, and its money is to follow', paid, { isTakenBack: true }],
    ['disputed', 'is held by a bank', paid, { disputed: 900 }],
    ['disputed', 'is held by a bank after a part was given back', paid, { disputed: 1, refunded: 1 }],
    [
      'disputed',
      'is held by a bank before anybody accepted it',
      { ...paid, accountId: null },
      { disputed: 1 },
    ],
    ['refunded', 'was given back before anybody accepted it', { ...paid, accountId: null }, { refunded: 1 }],
  ])('%s: it %s', (status, _title, purchase, moved) => {
    expect(statusOf(purchase, { ...none, ...moved }, NOW)).toBe(status);
  });

  it('is paid only where the money is with us and the credits with the account', () => {
    const anySold = fc.record({
      state: fc.constantFrom<Sold['state']>('opening', 'open', 'expired', 'processing', 'paid'),
      accountId: fc.constantFrom('a', null),
      grantedAt: fc.constantFrom(NOW, null),
      expiresAt: fc.constantFrom(minutes(-1), minutes(1)),
    });
    const anyMoved = fc.record({ refunded: fc.nat(2), disputed: fc.nat(2), isTakenBack: fc.boolean() });
    fc.assert(
      fc.property(anySold, anyMoved, (sold, moved) => {
        const isWhole = moved.refunded + moved.disputed === 0 && !moved.isTakenBack;
        const isThere = sold.state === 'paid' && sold.accountId !== null && sold.grantedAt !== null;
        expect(statusOf(sold, moved, NOW) === 'paid').toBe(isWhole && isThere);
      }),
    );
  });
});

describe('a refund', () => {
  const untouched = { status: 'paid', block: 20, creditsLeft: 20, hasRequest: false } as const;

  it.each<[string, Parameters<typeof isRefundable>[0], boolean]>([
    ['of an untouched block would be accepted', untouched, true],
    ['of a block of which one credit is used would not', { ...untouched, creditsLeft: 19 }, false],
    ['that was asked for once would not be accepted again', { ...untouched, hasRequest: true }, false],
    ['of what waits to be accepted would not', { ...untouched, status: 'waiting', creditsLeft: 0 }, false],
    ['of what is disputed would not', { ...untouched, status: 'disputed' }, false],
    ['of what is given back would not', { ...untouched, status: 'refunded', creditsLeft: 0 }, false],
    ['of what is not there yet would not', { ...untouched, status: 'processing', creditsLeft: 0 }, false],
  ])('%s', (_title, known, expected) => {
    expect(isRefundable(known)).toBe(expected);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { PurchaseStatus } from '@tds/contracts';
import fc from 'fast-check';
import { computeStatus, isRefundable } from './purchase.ts';

const NOW = new Date('2026-01-15T12:00:00.000Z');
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000);
const none = { refunded: 0, disputed: 0, isTakenBack: false };

type SoldPurchase = Parameters<typeof computeStatus>[0];
const open: SoldPurchase = { state: 'open', accountId: 'a', grantedAt: null, expiresAt: minutes(30) };
const paid: SoldPurchase = { ...open, state: 'paid', grantedAt: minutes(-1) };

describe('the status of a purchase', () => {
  it.each<[PurchaseStatus, string, SoldPurchase, Partial<typeof none>]>([
    ['open', 'with a page to be paid', open, {}],
    ['open', 'with a page that is being opened', { ...open, state: 'opening' }, {}],
    ['expired', 'with an expired page, before the schedule runs', { ...open, expiresAt: NOW }, {}],
    ['expired', 'that was never paid', { ...open, state: 'expired' }, {}],
    [
      'processing',
      'with a payment that takes days',
      { ...open, state: 'processing', expiresAt: minutes(-99) },
      {},
    ],
    ['processing', 'that is paid and not granted', { ...paid, grantedAt: null }, {}],
    ['waiting', 'of a stranger, before its acceptance', { ...paid, accountId: null, grantedAt: null }, {}],
    ['paid', 'that is paid and granted', paid, {}],
    ['refunded', 'that is refunded', paid, { refunded: 900 }],
    ['refunded', 'that is refunded in part', paid, { refunded: 1 }],
    ['refunded', 'whose block is taken back first', paid, { isTakenBack: true }],
    ['disputed', 'that is disputed', paid, { disputed: 900 }],
    ['disputed', 'that is disputed after a partial refund', paid, { disputed: 1, refunded: 1 }],
    ['disputed', 'that is disputed before its acceptance', { ...paid, accountId: null }, { disputed: 1 }],
    ['refunded', 'that is refunded before its acceptance', { ...paid, accountId: null }, { refunded: 1 }],
  ])('is %s for a purchase %s', (status, _title, purchase, moved) => {
    expect(computeStatus(purchase, { ...none, ...moved }, NOW)).toBe(status);
  });

  it('is paid only if the money is with us and the credits are with the account', () => {
    const anySold = fc.record({
      state: fc.constantFrom<SoldPurchase['state']>('opening', 'open', 'expired', 'processing', 'paid'),
      accountId: fc.constantFrom('a', null),
      grantedAt: fc.constantFrom(NOW, null),
      expiresAt: fc.constantFrom(minutes(-1), minutes(1)),
    });
    const anyMoved = fc.record({ refunded: fc.nat(2), disputed: fc.nat(2), isTakenBack: fc.boolean() });
    fc.assert(
      fc.property(anySold, anyMoved, (sold, moved) => {
        const isWhole = moved.refunded + moved.disputed === 0 && !moved.isTakenBack;
        const isThere = sold.state === 'paid' && sold.accountId !== null && sold.grantedAt !== null;
        expect(computeStatus(sold, moved, NOW) === 'paid').toBe(isWhole && isThere);
      }),
    );
  });
});

describe('a refund', () => {
  const untouched = { status: 'paid', block: 20, creditsLeft: 20, hasRequest: false } as const;

  it.each<[string, Parameters<typeof isRefundable>[0], boolean]>([
    ['of an untouched block would be accepted', untouched, true],
    ['of a block of which one credit is used would not', { ...untouched, creditsLeft: 19 }, false],
    ['that was requested once would not be accepted again', { ...untouched, hasRequest: true }, false],
    ['of a waiting purchase would not', { ...untouched, status: 'waiting', creditsLeft: 0 }, false],
    ['of a disputed one would not', { ...untouched, status: 'disputed' }, false],
    ['of a refunded one would not', { ...untouched, status: 'refunded', creditsLeft: 0 }, false],
    ['of one that is processing would not', { ...untouched, status: 'processing', creditsLeft: 0 }, false],
  ])('%s', (_title, known, expected) => {
    expect(isRefundable(known)).toBe(expected);
  });
});

import { describe, expect, it } from '@jest/globals';
import { CREDIT_BLOCKS } from '@tds/contracts';
import { type ErrorCode, ServiceError } from '@tds/errors';
import fc from 'fast-check';
import {
  CREDITS_BEFORE_SECOND_PURCHASE,
  isReplaceable,
  isWithinLimit,
  refuseAboveLimit,
  refuseAcceptance,
  refuseOtherRequest,
} from './checkout.ts';

const catchCode = (rule: () => void): ErrorCode | null => {
  try {
    rule();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
};
const block = fc.constantFrom(...CREDIT_BLOCKS);
const many = fc.integer({ min: 1, max: 1_000 });
const few = fc.integer({ min: 0, max: CREDITS_BEFORE_SECOND_PURCHASE - 1 });

describe('the limit of new accounts', () => {
  it.each<[number, number, boolean]>([
    [0, 0, true],
    [1, 0, false],
    [1, 99, false],
    [1, 100, true],
    [2, 99, false],
    [7, 100, true],
  ])('with %d purchases and %d spent credits allows another one: %s', (purchases, spent, isIn) => {
    expect(isWithinLimit({ purchases, spent })).toBe(isIn);
    expect(catchCode(() => refuseAboveLimit({ purchases, spent }))).toBe(
      isIn ? null : 'new_account_purchase_limit',
    );
  });

  it('never delays a first purchase, and cannot be bypassed by buying more', () => {
    fc.assert(
      fc.property(many, few, fc.nat(), (purchases, spent, anything) => {
        expect(isWithinLimit({ purchases: 0, spent: anything })).toBe(true);
        expect(isWithinLimit({ purchases, spent })).toBe(false);
        expect(isWithinLimit({ purchases, spent: spent + CREDITS_BEFORE_SECOND_PURCHASE })).toBe(true);
      }),
    );
  });

  it('gives a wait of a day, since time alone changes nothing', () => {
    expect(() => refuseAboveLimit({ purchases: 1, spent: 0 })).toThrow(
      expect.objectContaining({ data: expect.objectContaining({ retryAfterSeconds: 86_400 }) }),
    );
  });
});

describe('a purchase of a stranger', () => {
  it.each<[string, { purchases: number; spent: number }, number, ErrorCode | null]>([
    ['is accepted by an account without purchases', { purchases: 0, spent: 0 }, 20, null],
    ['is accepted in part if a part was refunded', { purchases: 0, spent: 0 }, 1, null],
    ['is accepted by an account that has used its credits', { purchases: 3, spent: 100 }, 20, null],
    ['is held to the limit of new accounts', { purchases: 1, spent: 99 }, 20, 'new_account_purchase_limit'],
    ['is withdrawn once its money is refunded', { purchases: 0, spent: 0 }, 0, 'purchase_withdrawn'],
    ['is withdrawn, which precedes any limit', { purchases: 1, spent: 0 }, 0, 'purchase_withdrawn'],
  ])('%s', (_title, account, worth, code) => {
    expect(catchCode(() => refuseAcceptance(account, worth))).toBe(code);
  });

  it('is accepted exactly if a purchase of the account itself would be', () => {
    fc.assert(
      fc.property(fc.nat(5), fc.nat(200), many, (purchases, spent, worth) => {
        const account = { purchases, spent };
        expect(catchCode(() => refuseAcceptance(account, worth))).toBe(
          catchCode(() => refuseAboveLimit(account)),
        );
      }),
    );
  });
});

describe('a repeated Idempotency-Key', () => {
  it('is valid for the block of its first request only', () => {
    fc.assert(
      fc.property(block, block, (before, now) => {
        const expected = before === now ? null : 'idempotency_key_reused';
        expect(catchCode(() => refuseOtherRequest({ block: before }, { block: now }))).toBe(expected);
      }),
    );
  });
});

describe('an open page', () => {
  const page = { state: 'open', block: 20, sessionId: 'cs_1' } as const;

  it.each<[string, Parameters<typeof isReplaceable>[0], boolean]>([
    ['gives way to one of another block', page, true],
    ['stays for the same block: its address is the answer', { ...page, block: 50 }, false],
    [
      'that is being opened stays, since it cannot be closed yet',
      { ...page, state: 'opening', sessionId: null },
      false,
    ],
    ['without a session stays', { ...page, sessionId: null }, false],
    ['that is being paid stays', { ...page, state: 'processing' }, false],
  ])('%s', (_title, open, expected) => {
    expect(isReplaceable(open, 50)).toBe(expected);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { RefundStatus } from '@tds/contracts';
import { type ErrorCode, ServiceError } from '@tds/errors';
import { refuseBlock, refuseRefund, toRefund } from './purchase.ts';

const catchCode = (rule: () => unknown): ErrorCode | null => {
  try {
    rule();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
};
const granted = { state: 'paid', grantedAt: new Date(0) };
const none = { refunded: 0, disputed: 0 };

describe('a refund is allowed', () => {
  it.each<[string, object, object, ErrorCode | null]>([
    ['for a paid and granted purchase', {}, {}, null],
    ['not for an unpaid purchase', { state: 'expired' }, {}, 'purchase_not_found'],
    ['not of an open page', { state: 'open', grantedAt: null }, {}, 'payment_purchase_pending'],
    ['not of a payment that is on its way', { state: 'processing' }, {}, 'payment_purchase_pending'],
    ['not before the credits are there', { grantedAt: null }, {}, 'payment_purchase_pending'],
    ['not if a part is refunded', {}, { refunded: 1 }, 'payment_refund_conflict'],
    ['not if a part is disputed', {}, { disputed: 1 }, 'payment_refund_conflict'],
  ])('%s', (_title, bought, moved, code) => {
    expect(catchCode(() => refuseRefund({ ...granted, ...bought }, { ...none, ...moved }))).toBe(code);
  });

  it.each([
    ['used', 'refund_block_used'],
    ['in_debt', 'payment_refund_debt_conflict'],
    ['unknown', 'payment_purchase_pending'],
  ] as const)('not of a block that the ledger calls %s', (outcome, code) => {
    expect(catchCode(() => refuseBlock(outcome))).toBe(code);
  });
});

describe('the public status of a refund', () => {
  it.each<[string, Parameters<typeof toRefund>[0]['state'], Parameters<typeof toRefund>[1], RefundStatus]>([
    ['is under way once it was asked for', 'asked', undefined, 'pending'],
    ['is under way once the block is taken', 'taken', undefined, 'pending'],
    ['is under way until the processor has said something', 'submitted', undefined, 'pending'],
    ['has come as far as the processor says', 'submitted', 'succeeded', 'succeeded'],
    ['has failed where the bank sends the money back', 'submitted', 'failed', 'failed'],
    ['has failed where the processor refuses it', 'refused', undefined, 'failed'],
  ])('%s', (_title, state, said, status) => {
    expect(toRefund({ id: 'r', state }, said)).toEqual({ id: 'r', status });
  });
});

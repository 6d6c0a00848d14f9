import { describe, expect, it } from '@jest/globals';
import { type DisputeState, disputeState, type RefundState, refundState } from './processor-events.ts';

describe('a refund that the processor calls', () => {
  it.each<[string | null, RefundState]>([
    ['succeeded', 'succeeded'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
    ['pending', 'pending'],
    ['requires_action', 'pending'],
    ['a word of next year', 'pending'],
    [null, 'pending'],
  ])('%s is %s for us', (status, state) => {
    expect(refundState(status)).toBe(state);
  });
});

describe('a dispute that the processor calls', () => {
  it.each<[string, DisputeState | null]>([
    ['needs_response', 'open'],
    ['under_review', 'open'],
    ['won', 'won'],
    ['prevented', 'won'],
    ['lost', 'lost'],
    ['a word of next year', 'open'],
    ['warning_needs_response', null],
    ['warning_under_review', null],
    ['warning_closed', null],
  ])('%s is %s for us; an inquiry moves no money, and an unknown status holds it', (status, state) => {
    expect(disputeState(status)).toBe(state);
  });
});

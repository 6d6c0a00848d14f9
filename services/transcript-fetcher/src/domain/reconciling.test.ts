import { describe, expect, it } from 'vitest';
import { remedyFor } from './reconciling.ts';

describe('what makes operation and ledger agree again', () => {
  it.each([
    ['settled', 'settled', null],
    ['settled', 'open', 'settle'],
    ['settled', undefined, 'charge anew'],
    ['settled', 'released', 'give up'],
    ['released', 'released', null],
    ['released', undefined, null],
    ['released', 'open', 'release'],
    ['released', 'settled', 'refund'],
  ] as const)('for one that is %s, where the ledger says %s, is: %s', (settlement, state, remedy) => {
    expect(remedyFor(settlement, state && { state })).toBe(remedy);
  });

  it('is nothing for a charge that the ledger has given back, and a refund again if it has lost that', () => {
    expect(remedyFor('released', { state: 'settled', isRefunded: true })).toBeNull();
    expect(remedyFor('released', { state: 'settled', isRefunded: false })).toBe('refund');
  });

  it('never takes a refund for a reason to charge or to settle again', () => {
    expect(remedyFor('settled', { state: 'settled', isRefunded: true })).toBeNull();
  });
});

import { describe, expect, it } from '@jest/globals';
import { balanceReply, chargeReply, reserveReply, resolveReply } from './replies.ts';

const buyUrl = 'https://shop.example';
const balance = {
  accountId: '6b1f5f5e-6b7c-4a0e-9a4f-111111111111',
  free: 3,
  purchased: 4,
  reserved: 10,
  version: 9,
  month: '2027-01',
};
const items = {
  hasEvents: false,
  accountId: balance.accountId,
  held: [1, 3],
  charged: [],
  lacked: null,
  capLeft: 7,
};
const answer = <Outcome extends string>(outcome: Outcome) => ({ outcome, balance, ...items });

describe('the reply to a reserve', () => {
  it.each(['reserved', 'settled', 'released', 'insufficient', 'capped'] as const)(
    'that is %s has the balance and the held items',
    (outcome) => {
      const reply = { ...balance, held: [1, 3], why: null, capLeft: 7, buyUrl };
      expect(reserveReply('reservation', answer(outcome), buyUrl)).toEqual(reply);
    },
  );

  it.each([
    ['frozen', 'account_frozen'],
    ['closed', 'account_closed'],
    ['outside', 'books_not_open'],
    ['busy', 'service_unavailable'],
  ] as const)('that is %s is the error %s, as that to a charge', (outcome, code) => {
    const error = expect.objectContaining({ code });
    expect(() => reserveReply('reservation', answer(outcome), buyUrl)).toThrow(error);
    expect(() => chargeReply('reservation', answer(outcome))).toThrow(error);
  });

  it('under the ref of another reservation is an internal error of the caller', () => {
    expect(() => reserveReply('reservation', answer('conflict'), buyUrl)).toThrow(
      /reservation names a reservation of another/,
    );
  });

  it('is an error if the ledger returned no balance', () => {
    const blank = { ...answer('reserved'), balance: null };
    expect(() => reserveReply('reservation', blank, buyUrl)).toThrow(/without a balance/);
  });
});

describe('the reply to a resolution', () => {
  it('has no balance for an unknown account', () => {
    const unknown = { ...answer('unknown'), balance: null, held: [] };
    expect(resolveReply([unknown])).toEqual({ charged: [], held: [], balance: null });
  });

  it('has all charged items, and the items held after both halves', () => {
    const charge = { ...answer('settled'), charged: [5, 2], held: [7, 8] };
    const release = { ...answer('settled'), charged: [4], held: [8] };
    expect(resolveReply([charge, release])).toEqual({ charged: [2, 4, 5], held: [8], balance });
  });

  it('is an error for a locked account, so that the caller retries', () => {
    const busy = expect.objectContaining({ code: 'service_unavailable' });
    expect(() => resolveReply([answer('settled'), answer('busy')])).toThrow(busy);
    expect(() => balanceReply(answer('busy'))).toThrow(busy);
  });
});

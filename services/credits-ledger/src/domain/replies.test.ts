import { describe, expect, it } from 'vitest';
import { balanceReply, reserveReply, resolveReply } from './replies.ts';

const buyUrl = 'https://shop.example';
const now = new Date('2027-01-20T23:00:00Z');
const balance = {
  accountId: '6b1f5f5e-6b7c-4a0e-9a4f-111111111111',
  free: 3,
  purchased: 4,
  reserved: 10,
  version: 9,
  month: '2027-01',
};
const request = { ref: 'job:1', amount: 20 };
const answer = <Outcome extends string>(outcome: Outcome) => ({ outcome, balance, hasEvents: false });

describe('the reply to a reserve', () => {
  it.each(['reserved', 'settled', 'released'] as const)(
    'that is %s is the balance and the outcome',
    (outcome) => {
      expect(reserveReply(request, answer(outcome), buyUrl, now)).toEqual({ ...balance, outcome });
    },
  );

  it('counts free and purchased credits as available, but not reserved ones', () => {
    expect(() => reserveReply(request, answer('insufficient'), buyUrl, now)).toThrow(
      expect.objectContaining({
        code: 'insufficient_credits',
        data: expect.objectContaining({
          extras: { required: 20, available: 7, shortfall: 13, buy_url: buyUrl },
        }),
      }),
    );
  });

  it.each([
    ['frozen', 'account_frozen'],
    ['closed', 'account_closed'],
    ['busy', 'service_unavailable'],
  ] as const)('for an account that is %s is the error %s', (outcome, code) => {
    expect(() => reserveReply(request, answer(outcome), buyUrl, now)).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it('under the ref of another operation is a fault of the caller that names no code', () => {
    expect(() => reserveReply(request, answer('conflict'), buyUrl, now)).toThrow(
      /job:1 names a reservation of another/,
    );
  });

  it('is never made up where the ledger gave no balance', () => {
    const blank = { outcome: 'reserved', balance: null, hasEvents: false } as const;
    expect(() => reserveReply(request, blank, buyUrl, now)).toThrow(/without a balance/);
  });
});

describe('the reply to a settle or release', () => {
  it('has no balance where no account is known', () => {
    const unknown = { outcome: 'unknown', balance: null, hasEvents: false } as const;
    expect(resolveReply('ref', unknown)).toEqual({ outcome: 'unknown', balance: null });
  });

  it('is an error for a locked account, so that it is asked again', () => {
    const busy = expect.objectContaining({ code: 'service_unavailable' });
    expect(() => resolveReply('ref', answer('busy'))).toThrow(busy);
    expect(() => balanceReply(answer('busy'))).toThrow(busy);
  });

  it('is an error of the caller for parts that the reservation does not have', () => {
    expect(() => resolveReply('ref', answer('conflict'))).toThrow(/has no such parts/);
  });
});

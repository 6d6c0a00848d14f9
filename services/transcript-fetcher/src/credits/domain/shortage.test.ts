import { describe, expect, it } from '@jest/globals';
import { reservationShortage } from './shortage.ts';

const now = new Date('2026-03-01T12:00:00Z');
const balance = { accountId: 'a', free: 3, purchased: 4, reserved: 0, version: 1, month: '2026-03' };
const reservation: Parameters<typeof reservationShortage>[0] = {
  ...balance,
  ...{ held: [], why: null, capLeft: null, buyUrl: 'https://buy' },
};

describe('reservationShortage', () => {
  it('says nothing if all credits are held', () => {
    expect(reservationShortage(reservation, { required: 1, cap: null }, now)).toBeNull();
  });

  it('counts the credits that the reservation holds as available', () => {
    const cut = { ...reservation, why: 'insufficient_credits' as const, held: [1, 2] };
    expect(reservationShortage(cut, { required: 12, cap: null }, now)).toMatchObject({
      required: 12,
      available: 9,
      buyUrl: 'https://buy',
      error: { code: 'insufficient_credits', data: { extras: { shortfall: 3 } } },
    });
  });

  it('a cap below the use of its key leaves nothing, and buying does not help', () => {
    const cut = { ...reservation, why: 'daily_credit_cap' as const, capLeft: -5 };
    expect(reservationShortage(cut, { required: 1, cap: 10 }, now)).toMatchObject({
      available: 0,
      buyUrl: null,
      error: { code: 'daily_credit_cap', data: { retryAfterSeconds: 12 * 3_600 } },
    });
  });

  it('the cap of a person has the same code, and names them', () => {
    const cut = { ...reservation, why: 'person_credit_cap' as const, capLeft: 1 };
    const error = { code: 'daily_credit_cap', message: expect.stringContaining('of this person') };
    expect(reservationShortage(cut, { required: 2, cap: null }, now)).toMatchObject({ available: 1, error });
  });
});

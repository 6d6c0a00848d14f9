import { type ErrorCode, ServiceError, serviceError } from '@tds/contracts';
import { testContext } from '@tds/service-kit/testing';
import { describe, expect, it } from 'vitest';
import type { Deps } from '../deps.ts';
import { chargeAnew, isDefiniteRefusal, reserve } from './credits.ts';

const operation = {
  id: '00000000-0000-7000-8000-000000000001',
  accountId: '00000000-0000-7000-8000-000000000002',
  keyId: '00000000-0000-7000-8000-000000000003',
  videoId: 'manualEn001',
  language: 'en',
  price: 3,
  charge: 2,
};
const balance = { free: 4, purchased: 10, reserved: 3 };
const context = testContext({ requestId: 'request-1' });

/** A ledger that answers each of its commands as given, or throws what is an error. */
const ledgerThat = (answers: Record<string, unknown>) => {
  const asked: { name: string; request: unknown }[] = [];
  const call = async ({ name }: { name: string }, request: unknown) => {
    asked.push({ name, request });
    const answer = answers[name];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { deps: { call } as unknown as Pick<Deps, 'call'>, asked };
};
const refusal = (code: ErrorCode) => serviceError(code as 'account_frozen');

describe('reserving', () => {
  it('holds the price that the operation has, within the limits of the key, and answers what is left', async () => {
    const { deps, asked } = ledgerThat({ reserveCredits: { outcome: 'reserved', ...balance } });
    const limits = { limitId: 'limit-1', dailyCreditCap: 5 };
    expect(await reserve(deps, operation, limits, context)).toBe(14);
    expect(asked).toEqual([
      {
        name: 'reserveCredits',
        request: {
          accountId: operation.accountId,
          keyId: operation.keyId,
          ref: operation.id,
          amount: 3,
          requestId: 'request-1',
          reason: 'transcript',
          subject: { video_id: 'manualEn001', language: 'en' },
          ...limits,
        },
      },
    ]);
  });

  it.each(['settled', 'released'])('is refused, to be tried again, if it was %s before', async (outcome) => {
    const { deps } = ledgerThat({ reserveCredits: { outcome, ...balance } });
    await expect(reserve(deps, operation, {}, context)).rejects.toMatchObject({
      code: 'service_unavailable',
      data: { retryAfterSeconds: 1 },
    });
  });
});

describe('a refusal', () => {
  it.each([
    ['insufficient_credits', true],
    ['account_frozen', true],
    ['account_closed', true],
    ['daily_credit_cap', true],
    ['service_unavailable', false],
    ['unexpected_error', false],
  ] as const)('%s means that the ledger certainly holds nothing: %s', (code, expected) => {
    const { data } = serviceError('account_frozen');
    expect(isDefiniteRefusal(new ServiceError({ ...data, code }))).toBe(expected);
  });

  it('is not certain if it is no answer of the ledger at all', () => {
    expect(isDefiniteRefusal(new Error('the connection was closed'))).toBe(false);
  });
});

describe('charging anew', () => {
  it('holds what was charged, under the same ref and no cap of the key, and settles it', async () => {
    const { deps, asked } = ledgerThat({
      reserveCredits: { outcome: 'reserved', ...balance },
      settleReservation: { outcome: 'settled', balance: null },
    });
    expect(await chargeAnew(deps, operation, context)).toBe('settled');
    const [hold, settle] = asked;
    expect(hold?.request).toMatchObject({ ref: operation.id, amount: 2, requestId: operation.id });
    expect(hold?.request).not.toHaveProperty('dailyCreditCap');
    expect(settle).toEqual({ name: 'settleReservation', request: { ref: operation.id } });
  });

  it('leaves it uncollected if the account cannot pay, or if somebody has given it back meanwhile', async () => {
    const poor = ledgerThat({ reserveCredits: refusal('account_frozen') });
    expect(await chargeAnew(poor.deps, operation, context)).toBe('uncollected');
    expect(poor.asked).toHaveLength(1);
    const late = ledgerThat({
      reserveCredits: { outcome: 'released', ...balance },
      settleReservation: { outcome: 'released', balance: null },
    });
    expect(await chargeAnew(late.deps, operation, context)).toBe('uncollected');
  });

  it('is tried again if the ledger has not answered', async () => {
    const { deps } = ledgerThat({ reserveCredits: refusal('service_unavailable') });
    await expect(chargeAnew(deps, operation, context)).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

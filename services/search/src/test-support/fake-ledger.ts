import { type Balance, creditsLedger, type ErrorCode, type RequestOf, serviceError } from '@tds/contracts';
import { fakeOf } from '@tds/service-kit/testing';

type Outcome = 'open' | 'settled' | 'released';
type Step = 'reserve' | 'settle' | 'release';

const balanceOf = (accountId: string): Balance => ({
  ...{ accountId, free: 99, purchased: 0, reserved: 0, version: 1, month: '2026-11' },
});

const failWith = (code: ErrorCode) =>
  code === 'insufficient_credits'
    ? serviceError(code, {
        extras: { required: 1, available: 0, shortfall: 1, buy_url: 'http://localhost/buy' },
      })
    : serviceError(code as 'service_unavailable', { retryAfterSeconds: 1 });

/** A ledger in memory that keeps the promises of the real one, and fails when a test says so. */
export const fakeLedger = () => {
  const reservations = new Map<string, Outcome>();
  const refunded = new Set<string>();
  const asked: RequestOf<typeof creditsLedger.reserveCredits>[] = [];
  const failures = new Map<Step, ErrorCode>();
  const lost = new Set<Step>();
  const assertWilling = (step: Step): void => {
    const code = failures.get(step);
    if (code !== undefined) throw failWith(code);
  };
  const resolve = (ref: string, to: 'settled' | 'released') => {
    const before = reservations.get(ref);
    if (before === undefined && to === 'settled') return { outcome: 'unknown' as const, balance: null };
    if (before === undefined || before === 'open') reservations.set(ref, to);
    return {
      outcome: reservations.get(ref) as 'settled' | 'released',
      balance: balanceOf(asked[0]?.accountId ?? ''),
    };
  };
  const fake = fakeOf(creditsLedger, {
    reserveCredits: async (request) => {
      asked.push(request);
      assertWilling('reserve');
      const held = reservations.get(request.ref);
      if (held === undefined) reservations.set(request.ref, 'open');
      return {
        ...balanceOf(request.accountId),
        outcome: held === undefined || held === 'open' ? 'reserved' : held,
      };
    },
    settleReservation: async ({ ref }) => {
      assertWilling('settle');
      const resolved = resolve(ref, 'settled');
      if (lost.has('settle')) throw serviceError('service_unavailable');
      return resolved;
    },
    releaseReservation: async ({ ref }) => {
      assertWilling('release');
      return resolve(ref, 'released');
    },
    refundCharge: async ({ ref }) => {
      if (reservations.get(ref) !== 'settled') return { outcome: 'unknown' as const };
      refunded.add(ref);
      return { outcome: 'granted' as const };
    },
    listOpenReservations: async ({ after }) => {
      const open = [...reservations].flatMap(([ref, state]) => (state === 'open' ? [ref] : [])).toSorted();
      const rows = open.filter((ref) => ref > (after?.ref ?? '')).slice(0, 2);
      return { rows: rows.map((ref) => ({ ref, createdAt: '2026-01-01' })) };
    },
  });
  return {
    service: fake.service,
    reservations,
    refunded,
    asked,
    /** What a step is answered with from now on; null: as usual. */
    fail: (step: Step, code: ErrorCode | null) =>
      void (code === null ? failures.delete(step) : failures.set(step, code)),
    /** The step is done, and its answer is lost on the way. */
    loseAnswer: (step: Step, isLost: boolean) => void (isLost ? lost.add(step) : lost.delete(step)),
    /** What the account has paid in the end for a ref. */
    paid: (ref: string): number => (reservations.get(ref) === 'settled' && !refunded.has(ref) ? 1 : 0),
  };
};
export type FakeLedger = ReturnType<typeof fakeLedger>;

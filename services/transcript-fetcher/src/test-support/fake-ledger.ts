import { type Balance, creditsLedger, type RequestOf, serviceError } from '@tds/contracts';
import { fakeOf } from '@tds/service-kit/testing';

type Refusal = 'insufficient_credits' | 'daily_credit_cap' | 'service_unavailable' | null;
type Outcome = 'open' | 'settled' | 'released';

/** A ledger in memory that keeps the promises of the real one, and fails when a test says so. */
export type FakeLedger = {
  readonly service: ReturnType<typeof ledgerService>['service'];
  /** What became of every ref. */
  readonly reservations: ReadonlyMap<string, Outcome>;
  /** As after a restore: what became of a ref, or that nothing did. */
  putBack(ref: string, to: Outcome | null): void;
  /** The refs whose charge was given back. */
  readonly refunded: ReadonlySet<string>;
  /** Every reserve that was asked for. */
  readonly asked: readonly RequestOf<typeof creditsLedger.reserveCredits>[];
  refuse(next: Refusal): void;
  /** What is asked for this ref fails for ever, and not because the ledger is away. */
  poison(ref: string): void;
  /** As a release that came before its reserve. */
  resolve(ref: string, to: 'settled' | 'released'): void;
};

/** Small, so that a few make several pages. */
const PAGE = 2;

export function createFakeLedger(): FakeLedger {
  const reservations = new Map<string, Outcome>();
  const refunded = new Set<string>();
  const asked: RequestOf<typeof creditsLedger.reserveCredits>[] = [];
  const poisoned = new Set<string>();
  const state = { refusal: null as Refusal };
  return {
    service: ledgerService({ reservations, refunded, asked, poisoned }, state).service,
    reservations,
    refunded,
    asked,
    poison: (ref) => void poisoned.add(ref),
    resolve: (ref, to) => void reservations.set(ref, to),
    putBack: (ref, to) => void (to === null ? reservations.delete(ref) : reservations.set(ref, to)),
    refuse: (next) => {
      state.refusal = next;
    },
  };
}

const balanceOf = (accountId: string): Balance => ({
  accountId,
  free: 99,
  purchased: 0,
  reserved: 0,
  version: 1,
  month: '2026-11',
});

function assertWilling(refusal: Refusal): void {
  if (refusal === 'service_unavailable') throw serviceError(refusal);
  if (refusal === 'daily_credit_cap') throw serviceError(refusal, { retryAfterSeconds: 60 });
  if (refusal === 'insufficient_credits') {
    throw serviceError(refusal, {
      extras: { required: 1, available: 0, shortfall: 1, buy_url: 'http://localhost/buy' },
    });
  }
}

const ledgerService = (
  {
    reservations,
    refunded,
    asked,
    poisoned,
  }: {
    reservations: Map<string, Outcome>;
    refunded: Set<string>;
    asked: RequestOf<typeof creditsLedger.reserveCredits>[];
    poisoned: ReadonlySet<string>;
  },
  state: { refusal: Refusal },
) => {
  const resolve = (ref: string, to: 'settled' | 'released') => {
    if (state.refusal === 'service_unavailable') throw serviceError('service_unavailable');
    if (poisoned.has(ref)) throw new Error('poisoned');
    const before = reservations.get(ref);
    if (before === undefined && to === 'settled') return { outcome: 'unknown' as const, balance: null };
    if (before === undefined || before === 'open') reservations.set(ref, to);
    const outcome = reservations.get(ref) === 'settled' ? ('settled' as const) : ('released' as const);
    const accountId = asked.findLast((request) => request.ref === ref)?.accountId;
    return { outcome, balance: accountId === undefined ? null : balanceOf(accountId) };
  };
  return fakeOf(creditsLedger, {
    reserveCredits: async (request) => {
      const { ref, accountId } = request;
      asked.push(request);
      assertWilling(state.refusal);
      if (!reservations.has(ref)) reservations.set(ref, 'open');
      const held = reservations.get(ref);
      const outcome = held === 'open' || held === undefined ? ('reserved' as const) : held;
      return { ...balanceOf(accountId), outcome };
    },
    settleReservation: async ({ ref }) => resolve(ref, 'settled'),
    releaseReservation: async ({ ref }) => resolve(ref, 'released'),
    refundCharge: async ({ ref }) => {
      assertWilling(state.refusal);
      if (reservations.get(ref) !== 'settled') return { outcome: 'unknown' as const };
      refunded.add(ref);
      return { outcome: 'granted' as const };
    },
    listOpenReservations: async ({ after }) => {
      const open = [...reservations].flatMap(([ref, state]) => (state === 'open' ? [ref] : []));
      const rows = open.toSorted().filter((ref) => ref > (after?.ref ?? ''));
      return { rows: rows.slice(0, PAGE).map((ref) => ({ ref, createdAt: '2027-01-01' })) };
    },
    lookUpReservations: async ({ refs }) => ({
      rows: refs.flatMap((ref) => {
        const state = reservations.get(ref);
        return state ? [{ ref, state }] : [];
      }),
    }),
  });
};

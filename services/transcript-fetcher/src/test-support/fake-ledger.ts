import { type Balance, creditsLedger, type RequestOf, serviceError } from '@tds/contracts';
import { fakeOf } from '@tds/service-kit/testing';

type Refusal = 'insufficient_credits' | 'daily_credit_cap' | 'service_unavailable' | null;
type Outcome = 'open' | 'settled' | 'released';
type ReserveRequest = RequestOf<typeof creditsLedger.reserveCredits>;

/** Small, so that a few make several pages. */
const PAGE = 2;

/** What a fake ledger remembers, and how it fails. */
class Memory {
  readonly reservations = new Map<string, Outcome>();
  readonly refunded = new Set<string>();
  readonly refundsAsked: string[] = [];
  readonly asked: ReserveRequest[] = [];
  readonly poisoned = new Set<string>();
  refusal: Refusal = null;
}

/** A ledger in memory that keeps the promises of the real one, and fails when a test says so. */
export function createFakeLedger() {
  const memory = new Memory();
  const { reservations, refunded, refundsAsked, asked, poisoned } = memory;
  return {
    service: fakeLedgerOf(memory).service,
    /** What became of every ref. */
    reservations: reservations as ReadonlyMap<string, Outcome>,
    /** The refs whose charge was given back. */
    refunded: refunded as ReadonlySet<string>,
    /** The ref of every refund that was asked for. */
    refundsAsked: refundsAsked as readonly string[],
    /** Every reserve that was asked for. */
    asked: asked as readonly ReserveRequest[],
    /** As after a restore: what became of a ref, or that nothing did. */
    putBack: (ref: string, to: Outcome | null) =>
      void (to === null ? reservations.delete(ref) : reservations.set(ref, to)),
    refuse: (next: Refusal) => {
      memory.refusal = next;
    },
    /** What is asked for this ref fails for ever, and not because the ledger is away. */
    poison: (ref: string) => void poisoned.add(ref),
    /** As a release that came before its reserve. */
    resolve: (ref: string, to: 'settled' | 'released') => void reservations.set(ref, to),
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

function assertWilling({ refusal }: Memory): void {
  if (refusal === 'service_unavailable') throw serviceError(refusal);
  if (refusal === 'daily_credit_cap') throw serviceError(refusal, { retryAfterSeconds: 60 });
  if (refusal === 'insufficient_credits') {
    throw serviceError(refusal, {
      extras: { required: 1, available: 0, shortfall: 1, buy_url: 'http://localhost/buy' },
    });
  }
}

function resolve(memory: Memory, ref: string, to: 'settled' | 'released') {
  const { reservations, asked } = memory;
  if (memory.refusal === 'service_unavailable') throw serviceError('service_unavailable');
  if (memory.poisoned.has(ref)) throw new Error('poisoned');
  const before = reservations.get(ref);
  if (before === undefined && to === 'settled') return { outcome: 'unknown' as const, balance: null };
  if (before === undefined || before === 'open') reservations.set(ref, to);
  const outcome = reservations.get(ref) === 'settled' ? ('settled' as const) : ('released' as const);
  const accountId = asked.findLast((request) => request.ref === ref)?.accountId;
  return { outcome, balance: accountId === undefined ? null : balanceOf(accountId) };
}

const fakeLedgerOf = (memory: Memory) => {
  const { reservations, refunded, refundsAsked, asked } = memory;
  return fakeOf(creditsLedger, {
    reserveCredits: async (request) => {
      const { ref, accountId } = request;
      asked.push(request);
      assertWilling(memory);
      if (!reservations.has(ref)) reservations.set(ref, 'open');
      const held = reservations.get(ref);
      const outcome = held === 'open' || held === undefined ? ('reserved' as const) : held;
      return { ...balanceOf(accountId), outcome };
    },
    settleReservation: async ({ ref }) => resolve(memory, ref, 'settled'),
    releaseReservation: async ({ ref }) => resolve(memory, ref, 'released'),
    refundCharge: async ({ ref }) => {
      refundsAsked.push(ref);
      assertWilling(memory);
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
        return state ? [{ ref, state, isRefunded: refunded.has(ref) }] : [];
      }),
    }),
  });
};

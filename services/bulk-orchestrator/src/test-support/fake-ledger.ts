import { type Balance, creditsLedger, type ErrorCode, serviceError } from '@tds/contracts';
import { fakeOf } from '@tds/service-kit/testing';

type Held = {
  readonly jobId: string | null;
  readonly parts: number;
  readonly charged: Set<number>;
  state: 'open' | 'released';
};
type Step = 'reserveInParts' | 'settleParts' | 'releaseReservation' | 'getBalance';

/** A ledger in memory that keeps the promises of the real one for reservations in parts, and fails when a test says so. */
export const fakeLedger = (credits: number) => {
  const reservations = new Map<string, Held>();
  const refunded = new Set<string>();
  let available = credits;
  const failures = new Map<Step, ErrorCode>();
  const lost = new Set<Step>();
  const open = () => [...reservations.values()].filter(({ state }) => state === 'open');
  const heldNow = () => open().reduce((sum, { parts, charged }) => sum + parts - charged.size, 0);
  const balanceOf = (accountId: string): Balance => ({
    ...{ accountId, free: 0, purchased: available, reserved: heldNow(), version: 1, month: '2026-11' },
  });
  const enter = (step: Step): void => {
    const code = failures.get(step);
    if (code !== undefined) throw serviceError(code as 'service_unavailable', { retryAfterSeconds: 1 });
  };
  const leave = <Reply>(step: Step, reply: Reply): Reply => {
    if (lost.has(step)) throw serviceError('service_unavailable');
    return reply;
  };
  const partsOf = ({ parts, charged, state }: Held) => ({
    charged: [...charged],
    remaining: state === 'open' ? parts - charged.size : 0,
  });
  const reserve = (ref: string, parts: number, jobId: string | null = null): Held => {
    const before = reservations.get(ref);
    if (before) return before;
    if (parts > available) {
      const missing = { required: parts, available, shortfall: parts - available, buy_url: 'http://buy' };
      throw serviceError('insufficient_credits', { extras: missing });
    }
    available -= parts;
    const held: Held = { jobId, parts, charged: new Set(), state: 'open' };
    reservations.set(ref, held);
    return held;
  };
  const release = (ref: string): Held => {
    const nothing: Held = { jobId: null, parts: 0, charged: new Set<number>(), state: 'open' };
    const held = reservations.get(ref) ?? nothing;
    if (held.state === 'open') available += held.parts - held.charged.size;
    reservations.set(ref, held);
    held.state = 'released';
    return held;
  };
  const fake = fakeOf(creditsLedger, {
    reserveInParts: async ({ ref, parts, accountId, subject }) => {
      enter('reserveInParts');
      const held = reserve(ref, parts, subject?.job_id);
      const outcome = held.state === 'open' ? ('reserved' as const) : ('released' as const);
      return leave('reserveInParts', { ...balanceOf(accountId), outcome, ...partsOf(held) });
    },
    settleParts: async ({ ref, parts }) => {
      enter('settleParts');
      const held = reservations.get(ref);
      if (!held) return { outcome: 'unknown' as const, balance: null, charged: [], remaining: 0 };
      if (held.state === 'open') for (const part of parts) held.charged.add(part);
      const charged = parts.filter((part) => held.charged.has(part));
      const outcome = held.state === 'open' ? ('settled' as const) : ('released' as const);
      return leave('settleParts', { outcome, balance: null, ...partsOf(held), charged });
    },
    releaseReservation: async ({ ref }) => {
      enter('releaseReservation');
      release(ref);
      return leave('releaseReservation', { outcome: 'released' as const, balance: null });
    },
    getBalance: async ({ accountId }) => {
      enter('getBalance');
      return { ...balanceOf(accountId), debt: 0 };
    },
    refundCharge: async ({ ref }) => {
      const held = reservations.get(ref);
      if (held?.state !== 'released' || held.charged.size === 0) return { outcome: 'unknown' as const };
      if (!refunded.has(ref)) available += held.charged.size;
      refunded.add(ref);
      return { outcome: 'granted' as const };
    },
    listChargedReservations: async ({ after }) => ({
      rows: [...reservations]
        .filter(([ref, { charged }]) => charged.size > 0 && ref > (after ?? ''))
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .slice(0, 2)
        .map(([ref, { state, charged }]) => ({
          ...{ ref, state, charged: charged.size, isRefunded: refunded.has(ref) },
        })),
    }),
    listOpenReservations: async ({ after }) => {
      const refs = [...reservations].flatMap(([ref, { state }]) => (state === 'open' ? [ref] : []));
      const rows = refs
        .toSorted()
        .filter((ref) => ref > (after?.ref ?? ''))
        .slice(0, 2);
      return { rows: rows.map((ref) => ({ ref, createdAt: '2026-01-01' })) };
    },
  });
  return {
    ...fake,
    ...{ reservations, refunded },
    /** The reservations of a job, by their refs. */
    ofJob: (id: string) => [...reservations].filter(([, { jobId }]) => jobId === id),
    /** What the account has paid. */
    charged: () => [...reservations.values()].reduce((sum, { charged }) => sum + charged.size, 0),
    held: heldNow,
    available: () => available,
    give(amount: number) {
      available += amount;
    },
    /** What a step is answered with from now on; null: as usual. */
    fail: (step: Step, code: ErrorCode | null) =>
      void (code === null ? failures.delete(step) : failures.set(step, code)),
    /** The step is done, and its answer is lost on the way. */
    loseAnswer: (step: Step, isLost: boolean) => void (isLost ? lost.add(step) : lost.delete(step)),
    /** As after a restored database: the reservation was never made. */
    forget: (ref: string) => void reservations.delete(ref),
    reserve,
    release,
  };
};
export type FakeLedger = ReturnType<typeof fakeLedger>;

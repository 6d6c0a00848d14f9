import { creditsLedger, type RequestOf } from '@tds/contracts';
import { type ErrorCode, serviceError } from '@tds/errors';
import { createFake } from '@tds/kit/testing';
import { correct, findBlocks, grantBlock, listBlocks, spentBy, takeBack } from './fake-blocks.ts';
import { FakeBooks } from './fake-books.ts';
import { ascending, itemsIn } from './fake-reservation.ts';
import { newReservation } from './ledger-under-test.ts';

type Step =
  | 'reserveItems'
  | 'resolveItems'
  | 'chargeItems'
  | 'refundItems'
  | 'lookUpItems'
  | 'lookUpJob'
  | 'listOpenReservations';

/** Small, so that few reservations make several pages. */
const PAGE = 2;
const EARLY = '2026-01-01';

/** The state of a fake ledger, and its failures. */
class Memory {
  books: FakeBooks;
  epoch = 1;
  readonly requests: RequestOf<typeof creditsLedger.reserveItems>[] = [];
  readonly failures = new Map<Step, ErrorCode>();
  readonly lost = new Set<Step>();

  constructor(books: FakeBooks) {
    this.books = books;
  }

  /** Fails before the step, or loses its answer. */
  step<Answer>(name: Step, act: () => Answer): Answer {
    const code = this.failures.get(name);
    if (code !== undefined) throw serviceError(code as 'service_unavailable', { retryAfterSeconds: 1 });
    const answer = act();
    if (this.lost.has(name)) throw serviceError('service_unavailable', { retryAfterSeconds: 1 });
    return answer;
  }

  /** Refs of a reason beyond another ref, with held or charged items. */
  refsWith(is: 'held' | 'charged', reason: string, after: string): string[] {
    const refs = [...this.books.reservations.values()].flatMap(({ ref, reason: own }) =>
      own === reason ? [ref] : [],
    );
    const some = (ref: string) => this.books.find(ref).some((found) => found[is].length > 0);
    return refs
      .filter((ref) => ref > after && some(ref))
      .toSorted()
      .slice(0, PAGE);
  }

  epochFields() {
    return { ledgerEpoch: `epoch ${this.epoch}` };
  }
}

const findJob = ({ books }: Memory, { accountId, jobId }: RequestOf<typeof creditsLedger.lookUpJob>) => {
  const own = [...books.reservations.values()].filter(
    (held) => held.accountId === accountId && held.jobId === jobId,
  );
  const paid = own.flatMap((held) => itemsIn(held, 'charged').filter((item) => !held.refunded.has(item)));
  const held = own.map((each) => ({ ref: each.ref, items: itemsIn(each, 'held') }));
  return { charged: ascending([...new Set(paid)]), held: held.filter(({ items }) => items.length > 0) };
};

const createFakeService = (memory: Memory, now: () => Date) =>
  createFake(creditsLedger, {
    reserveItems: async (request) => {
      memory.requests.push(request);
      return memory.step('reserveItems', () => {
        const reserved = memory.books.reserve(request);
        return { ...memory.books.balance(request.accountId), ...reserved, buyUrl: 'http://localhost/buy' };
      });
    },
    resolveItems: async (request) => memory.step('resolveItems', () => memory.books.resolve(request)),
    chargeItems: async (request) => memory.step('chargeItems', () => memory.books.charge(request)),
    refundItems: async (request) => memory.step('refundItems', () => memory.books.refund(request)),
    lookUpItems: async ({ refs }) =>
      memory.step('lookUpItems', () => ({
        rows: refs.flatMap((ref) => memory.books.find(ref)),
        ...memory.epochFields(),
      })),
    lookUpJob: async (request) =>
      memory.step('lookUpJob', () => ({ ...findJob(memory, request), ...memory.epochFields() })),
    listOpenReservations: async ({ reason, after }) =>
      memory.step('listOpenReservations', () => {
        const refs = memory.refsWith('held', reason, after?.ref ?? '');
        return { rows: refs.map((ref) => ({ ref, createdAt: EARLY })), ...memory.epochFields() };
      }),
    listChargedReservations: async ({ reason, after }) => {
      const refs = memory.refsWith('charged', reason, after ?? '');
      return { rows: refs.flatMap((ref) => memory.books.find(ref)), ...memory.epochFields() };
    },
    getBalance: async ({ accountId }) => {
      const { debt } = memory.books.account(accountId);
      return { ...memory.books.balance(accountId), debt, mailThreshold: null, buyUrl: 'http://localhost/buy' };
    },
    grantPurchases: async ({ purchases }) => ({
      outcomes: purchases.map((purchase) => grantBlock(memory.books, purchase, now())),
    }),
    takeBackBlock: async (request) => ({ outcome: takeBack(memory.books, request) }),
    correctBlock: async (request) => ({ outcome: correct(memory.books, request) }),
    lookUpGrants: async ({ refs }) => ({ rows: findBlocks(memory.books, refs) }),
    listGrants: async (request) => ({ rows: listBlocks(memory.books, request, now()) }),
    /** It hears of no refills: tests that do say who is low. */
    lookUpRefills: async () => ({ rows: [] }),
    getSpending: async ({ accountId }) => ({ spent: spentBy(memory.books, accountId) }),
  });

/**
 * A ledger in memory that answers commands on items and blocks like the real one (both pass `ledgerConformance`), fails on request, and
 * whose books a test may copy and restore.
 */
export const fakeLedger = ({ free = 100, now = () => new Date() } = {}) => {
  const memory = new Memory(new FakeBooks(free));
  const { requests, failures, lost } = memory;
  const fake = createFakeService(memory, now);
  return {
    service: fake.service,
    /** Tests may replace commands while it runs. */
    commands: fake.commands,
    /** Adds purchased credits. */
    grant: (accountId: string, credits: number): void => memory.books.grant(accountId, credits),
    /** Closes the account. */
    close: (accountId: string): void => void memory.books.closed.add(accountId),
    /** Charges deliveries to the account; missing credits become debt. */
    spend: (accountId: string, credits: number): void =>
      void memory.books.charge({ ...newReservation(), accountId, unit: credits, items: [1] }),
    /** Holds credits of the account until they are released. */
    hold: (accountId: string, credits: number): (() => void) => {
      const { ref, ...reservation } = newReservation();
      memory.books.reserve({ ...reservation, ref, accountId, unit: credits, items: [1] });
      return () => void memory.books.resolve({ ref, charge: [], release: [1] });
    },
    /** A purchase, if it was granted. */
    block: (ref: string) => findBlocks(memory.books, [ref])[0],
    books: (): FakeBooks => memory.books,
    /** Every requested reserve. */
    requests,
    /** Answers a step with an error; null resets it. */
    fail: (name: Step, code: ErrorCode | null): void =>
      void (code === null ? failures.delete(name) : failures.set(name, code)),
    /** Does the step, and loses its answer. */
    loseAnswer: (name: Step, isLost: boolean): void => void (isLost ? lost.add(name) : lost.delete(name)),
    copy: (): FakeBooks => memory.books.copy(),
    /** Replaces the ledger's database. */
    putBack: (copy: FakeBooks): void => {
      memory.books = copy.copy();
      memory.epoch += 1;
    },
    /** Credits charged under a ref and not released. */
    paid: (ref: string): number =>
      memory.books
        .find(ref)
        .reduce((sum, { unit, charged, refunded }) => sum + unit * (charged.length - refunded.length), 0),
    /** Items held under a ref. */
    held: (ref: string): number[] => memory.books.find(ref).flatMap(({ held }) => held),
  };
};
export type FakeLedger = ReturnType<typeof fakeLedger>;

import { creditsLedger, type ErrorCode, type RequestOf, serviceError } from '@tds/contracts';
import { fakeOf } from '@tds/kit/testing';
import { correct, findBlocks, grantBlock, listBlocks, spentBy, takeBack } from './fake-blocks.ts';
import { FakeBooks } from './fake-books.ts';
import { ascending, partsIn } from './fake-reservation.ts';
import { newRound } from './ledger-under-test.ts';

type Step =
  | 'reserveParts'
  | 'resolveParts'
  | 'chargeParts'
  | 'refundParts'
  | 'lookUpParts'
  | 'lookUpJob'
  | 'listOpenReservations';

/** Small, so that a few make several pages. */
const PAGE = 2;
const EARLY = '2026-01-01';

/** What a fake ledger remembers, and how it fails. */
class Memory {
  books: FakeBooks;
  epoch = 1;
  readonly asked: RequestOf<typeof creditsLedger.reserveParts>[] = [];
  readonly failures = new Map<Step, ErrorCode>();
  readonly lost = new Set<Step>();

  constructor(books: FakeBooks) {
    this.books = books;
  }

  /** A step fails before anything is done, or its answer is lost when it is. */
  step<Answer>(name: Step, act: () => Answer): Answer {
    const code = this.failures.get(name);
    if (code !== undefined) throw serviceError(code as 'service_unavailable', { retryAfterSeconds: 1 });
    const answer = act();
    if (this.lost.has(name)) throw serviceError('service_unavailable', { retryAfterSeconds: 1 });
    return answer;
  }

  /** Refs of a reason after another, of which something is held, or charged. */
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

  told() {
    return { ledgerEpoch: `epoch ${this.epoch}` };
  }
}

const findJob = ({ books }: Memory, { accountId, jobId }: RequestOf<typeof creditsLedger.lookUpJob>) => {
  const own = [...books.reservations.values()].filter(
    (held) => held.accountId === accountId && held.jobId === jobId,
  );
  const paid = own.flatMap((held) => partsIn(held, 'charged').filter((part) => !held.refunded.has(part)));
  const held = own.map((each) => ({ ref: each.ref, parts: partsIn(each, 'held') }));
  return { charged: ascending([...new Set(paid)]), held: held.filter(({ parts }) => parts.length > 0) };
};

const answering = (memory: Memory, now: () => Date) =>
  fakeOf(creditsLedger, {
    reserveParts: async (request) => {
      memory.asked.push(request);
      return memory.step('reserveParts', () => {
        const reserved = memory.books.reserve(request);
        return { ...memory.books.balance(request.accountId), ...reserved, buyUrl: 'http://localhost/buy' };
      });
    },
    resolveParts: async (request) => memory.step('resolveParts', () => memory.books.resolve(request)),
    chargeParts: async (request) => memory.step('chargeParts', () => memory.books.charge(request)),
    refundParts: async (request) => memory.step('refundParts', () => memory.books.refund(request)),
    lookUpParts: async ({ refs }) =>
      memory.step('lookUpParts', () => ({
        rows: refs.flatMap((ref) => memory.books.find(ref)),
        ...memory.told(),
      })),
    lookUpJob: async (request) =>
      memory.step('lookUpJob', () => ({ ...findJob(memory, request), ...memory.told() })),
    listOpenReservations: async ({ reason, after }) =>
      memory.step('listOpenReservations', () => {
        const refs = memory.refsWith('held', reason, after?.ref ?? '');
        return { rows: refs.map((ref) => ({ ref, createdAt: EARLY })), ...memory.told() };
      }),
    listChargedReservations: async ({ reason, after }) => {
      const refs = memory.refsWith('charged', reason, after ?? '');
      return { rows: refs.flatMap((ref) => memory.books.find(ref)), ...memory.told() };
    },
    getBalance: async ({ accountId }) => {
      const { debt } = memory.books.account(accountId);
      return { ...memory.books.balance(accountId), debt, buyUrl: 'http://localhost/buy' };
    },
    grantPurchases: async ({ purchases }) => ({
      outcomes: purchases.map((purchase) => grantBlock(memory.books, purchase, now())),
    }),
    takeBackBlock: async (request) => ({ outcome: takeBack(memory.books, request) }),
    correctBlock: async (request) => ({ outcome: correct(memory.books, request) }),
    lookUpGrants: async ({ refs }) => ({ rows: findBlocks(memory.books, refs) }),
    listGrants: async (request) => ({ rows: listBlocks(memory.books, request, now()) }),
    getSpending: async ({ accountId }) => ({ spent: spentBy(memory.books, accountId) }),
  });

/**
 * A ledger in memory that answers the commands on parts and on blocks as the real one does (both pass `ledgerConformance`), fails when a test
 * says so, and whose books a test may copy and put back.
 */
export const fakeLedger = ({ free = 100, now = () => new Date() } = {}) => {
  const memory = new Memory(new FakeBooks(free));
  const { asked, failures, lost } = memory;
  const fake = answering(memory, now);
  return {
    service: fake.service,
    /** Tests may replace them while it runs. */
    commands: fake.commands,
    /** Purchased credits come in. */
    grant: (accountId: string, credits: number): void => memory.books.grant(accountId, credits),
    /** The account is closed from now on. */
    close: (accountId: string): void => void memory.books.closed.add(accountId),
    /** Deliveries cost the account so much; what it lacks is debt. */
    spend: (accountId: string, credits: number): void =>
      void memory.books.charge({ ...newRound(), accountId, unit: credits, parts: [1] }),
    /** Holds credits of the account until they are given back. */
    hold: (accountId: string, credits: number): (() => void) => {
      const { ref, ...round } = newRound();
      memory.books.reserve({ ...round, ref, accountId, unit: credits, parts: [1] });
      return () => void memory.books.resolve({ ref, charge: [], giveBack: [1] });
    },
    /** A purchase, if it was granted. */
    block: (ref: string) => findBlocks(memory.books, [ref])[0],
    books: (): FakeBooks => memory.books,
    /** Every reserve that was asked for. */
    asked,
    /** What a step is answered with from now on; null: as usual. */
    fail: (name: Step, code: ErrorCode | null): void =>
      void (code === null ? failures.delete(name) : failures.set(name, code)),
    /** The step is done, and its answer is lost on the way. */
    loseAnswer: (name: Step, isLost: boolean): void => void (isLost ? lost.add(name) : lost.delete(name)),
    copy: (): FakeBooks => memory.books.copy(),
    /** The ledger's database is another one from now on. */
    putBack: (copy: FakeBooks): void => {
      memory.books = copy.copy();
      memory.epoch += 1;
    },
    /** The credits that were charged under a ref and not given back. */
    paid: (ref: string): number =>
      memory.books
        .find(ref)
        .reduce((sum, { unit, charged, refunded }) => sum + unit * (charged.length - refunded.length), 0),
    /** The parts that are held under a ref. */
    held: (ref: string): number[] => memory.books.find(ref).flatMap(({ held }) => held),
  };
};
export type FakeLedger = ReturnType<typeof fakeLedger>;

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { proven } from '@tds/test-kit';
import fc from 'fast-check';
import { disputeState, refundState } from '../domain/processor-events.ts';
import { computeWorth } from '../domain/purchase.ts';
import type { StoredPurchase } from '../store/purchases.ts';
import { type Books, type CallFault, newEvent, sessionOf, startBooks } from '../test-support/start-books.ts';
import type { PaymentEvent } from '../upstream/wire.ts';

const RUNS = proven(12, 400);

let books: Books;
beforeAll(async () => {
  books = await startBooks();
});
beforeEach(() => books.fail([]));
afterAll(() => books.stop());

const refundStatus = fc.constantFrom('pending', 'requires_action', 'succeeded', 'failed', 'canceled');
const disputeStatus = fc.constantFrom('needs_response', 'under_review', 'won', 'lost', 'warning_closed');
const amount = fc.oneof(fc.integer({ min: 1, max: 900 }), fc.constantFrom(900, 901, 1, 2_147_483_647));
const history = fc.record({
  isPaid: fc.boolean(),
  session: fc.subarray(['unpaid', 'expired', 'async_failed'] as const),
  refunds: fc.array(fc.record({ amount, statuses: fc.array(refundStatus, { minLength: 1, maxLength: 3 }) }), {
    maxLength: 2,
  }),
  disputes: fc.array(fc.record({ amount, statuses: fc.array(disputeStatus, { minLength: 1, maxLength: 2 }) }), {
    maxLength: 2,
  }),
});
type History = typeof history extends fc.Arbitrary<infer H> ? H : never;

const sessionTypes = {
  unpaid: ['checkout.session.completed', 'unpaid'],
  expired: ['checkout.session.expired', 'unpaid'],
  async_failed: ['checkout.session.async_payment_failed', 'unpaid'],
} as const;

const buildEvents = (
  purchase: StoredPurchase,
  { isPaid, session, refunds, disputes }: History,
): PaymentEvent[] => {
  const money = (id: string) => ({
    id: `${id}_${purchase.id}`,
    payment_intent: `pi_${purchase.id}`,
    currency: 'usd',
  });
  return [
    ...(isPaid ? [newEvent('checkout.session.completed', sessionOf(purchase))] : []),
    ...session.map((name) => {
      const [type, payment_status] = sessionTypes[name];
      return newEvent(type, sessionOf(purchase, { payment_status }));
    }),
    ...refunds.flatMap((refund, index) =>
      refund.statuses.map((status) =>
        newEvent('refund.updated', { ...money(`re_${index}`), amount: refund.amount, status }),
      ),
    ),
    ...disputes.flatMap((dispute, index) =>
      dispute.statuses.map((status) =>
        newEvent('charge.dispute.updated', { ...money(`dp_${index}`), amount: dispute.amount, status }),
      ),
    ),
  ];
};

/** What the account must have in the end: its block less the part whose money is refunded or disputed. */
const computeExpected = (
  { block, amount: price }: StoredPurchase,
  { isPaid, refunds, disputes }: History,
): number => {
  if (!isPaid) return 0;
  const order = ['pending', 'succeeded', 'failed'];
  const furthest = (statuses: readonly string[]) =>
    order[Math.max(...statuses.map((status) => order.indexOf(refundState(status))))];
  const refunded = refunds
    .filter(({ statuses }) => furthest(statuses) !== 'failed')
    .reduce((sum, one) => sum + one.amount, 0);
  const held = disputes.filter(({ statuses }) => {
    const states = statuses.map(disputeState).filter((state) => state !== null);
    return states.length > 0 && !states.includes('won');
  });
  const disputed = held.reduce((sum, one) => sum + one.amount, 0);
  const cap = (moved: number) => Math.min(moved, price);
  return computeWorth({
    block,
    amount: price,
    refunded: cap(refunded),
    disputed: cap(disputed),
    isTakenBack: false,
  });
};

/** A dispute that is reported as both won and lost ends as the first of them; the processor reports one end only. */
const isPossible = ({ disputes }: History): boolean =>
  disputes.every(({ statuses }) => !(statuses.includes('won') && statuses.includes('lost')));

const orders = history.filter(isPossible).chain((given) => {
  const count = (given.isPaid ? 1 : 0) + given.session.length;
  const length = [...given.refunds, ...given.disputes].reduce(
    (sum, { statuses }) => sum + statuses.length,
    count,
  );
  const twice = Array.from({ length: 2 * length }, (_, index) => index % Math.max(1, length));
  const whole = { minLength: twice.length, maxLength: twice.length };
  return fc.record({ given: fc.constant(given), order: fc.shuffledSubarray(twice, whole) });
});

const checkBooks = async (purchase: StoredPurchase, given: History): Promise<void> => {
  const accountId = purchase.accountId as string;
  const { purchased, debt } = books.ledger.books().account(accountId);
  const net = books.net(purchase);
  expect(net).toBe(computeExpected(purchase, given));
  expect([purchased, debt]).toEqual([net, 0]);
  const stored = await books.tables.find(purchase.id);
  if (given.isPaid) expect(stored.state).toBe('paid');
  else expect([stored.grantedAt, stored.state === 'paid']).toEqual([null, false]);
};

describe('the credits of a purchase equal its payment less refunds and disputes', () => {
  it('in every order of its events, each of them twice', async () => {
    await fc.assert(
      fc.asyncProperty(orders, async ({ given, order }) => {
        const purchase = await books.tables.insert();
        const events = buildEvents(purchase, given);
        for (const index of order) {
          await books.apply(events[index] as PaymentEvent);
          if (index % 2 === 0) await books.drain();
        }
        await books.drain();
        await checkBooks(purchase, given);
      }),
      { numRuns: RUNS },
    );
  });

  it('if all of its events arrive at once', async () => {
    await fc.assert(
      fc.asyncProperty(orders, async ({ given, order }) => {
        const purchase = await books.tables.insert();
        const events = buildEvents(purchase, given);
        const applied = await Promise.all(order.map((index) => books.apply(events[index] as PaymentEvent)));
        expect(applied.filter(Boolean)).toHaveLength(events.length);
        await books.drain();
        await checkBooks(purchase, given);
      }),
      { numRuns: RUNS },
    );
  });

  it('if the ledger fails before or after it acts, at any of its calls', async () => {
    const fault = fc.constantFrom<CallFault>('none', 'before', 'after');
    await fc.assert(
      fc.asyncProperty(orders, fc.array(fault, { maxLength: 12 }), async ({ given, order }, faults) => {
        const purchase = await books.tables.insert();
        const events = buildEvents(purchase, given);
        books.fail(faults);
        for (const index of order) {
          await books.apply(events[index] as PaymentEvent);
          await books.drain();
        }
        books.fail([]);
        await checkBooks(purchase, given);
      }),
      { numRuns: RUNS },
    );
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proven } from '@tds/test-kit';
import fc from 'fast-check';
import type { DisputeState, RefundState } from '../domain/processor-events.ts';
import { computeWorth } from '../domain/purchase.ts';
import { startTables, type Tables } from '../test-support/stored-purchases.ts';
import { findMovedMoney, insertRequest, markSubmitted, markTaken, saveDispute, saveRefund } from './money.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const movedOfOne = async (id: string) => (await findMovedMoney(tables.db, [id])).get(id);
const usd = { currency: 'usd' };
const none = { refunded: 0, disputed: 0, hasDispute: false, isTakenBack: false };

type Report =
  | {
      readonly kind: 'refund';
      readonly amount: number;
      readonly status: RefundState;
      readonly currency?: string;
    }
  | {
      readonly kind: 'dispute';
      readonly amount: number;
      readonly status: DisputeState;
      readonly currency?: string;
    };

const save = async (paymentIntentId: string, report: Report, id = randomUUID()): Promise<string> => {
  const money = {
    ...usd,
    id,
    paymentIntentId,
    amount: report.amount,
    ...(report.currency && { currency: report.currency }),
  };
  if (report.kind === 'refund') await saveRefund(tables.db, { ...money, status: report.status });
  else await saveDispute(tables.db, { ...money, status: report.status });
  return id;
};

describe('the moved money of a purchase', () => {
  it.each<[string, readonly Report[], Partial<typeof none>]>([
    ['is nothing while no refund or dispute is reported', [], {}],
    [
      'contains a refund that is pending, since its money is about to leave',
      [{ kind: 'refund', amount: 100, status: 'pending' }],
      { refunded: 100 },
    ],
    [
      'contains a refund that succeeded',
      [{ kind: 'refund', amount: 900, status: 'succeeded' }],
      { refunded: 900 },
    ],
    ['contains no refund that failed', [{ kind: 'refund', amount: 900, status: 'failed' }], {}],
    [
      'is the sum of several partial refunds',
      [
        { kind: 'refund', amount: 100, status: 'succeeded' },
        { kind: 'refund', amount: 200, status: 'pending' },
        { kind: 'refund', amount: 400, status: 'failed' },
      ],
      { refunded: 300 },
    ],
    [
      'never exceeds the price, however much is refunded',
      [
        { kind: 'refund', amount: 800, status: 'succeeded' },
        { kind: 'refund', amount: 800, status: 'succeeded' },
      ],
      { refunded: 900 },
    ],
    [
      'does not overflow with two refunds of the largest amount',
      [
        { kind: 'refund', amount: 2_147_483_647, status: 'succeeded' },
        { kind: 'refund', amount: 2_147_483_647, status: 'succeeded' },
      ],
      { refunded: 900 },
    ],
    [
      'contains the money of an open dispute',
      [{ kind: 'dispute', amount: 450, status: 'open' }],
      { disputed: 450, hasDispute: true },
    ],
    [
      'contains the money of a lost dispute',
      [{ kind: 'dispute', amount: 450, status: 'lost' }],
      { disputed: 450, hasDispute: true },
    ],
    [
      'contains no money of a won dispute, which is still remembered',
      [{ kind: 'dispute', amount: 450, status: 'won' }],
      { hasDispute: true },
    ],
    [
      'is the whole price if the refund has another currency, which cannot be compared',
      [{ kind: 'refund', amount: 1, status: 'succeeded', currency: 'eur' }],
      { refunded: 900 },
    ],
    [
      'is the whole price if the dispute has another currency',
      [{ kind: 'dispute', amount: 1, status: 'open', currency: 'jpy' }],
      { disputed: 900, hasDispute: true },
    ],
    [
      'counts refunds and disputes apart',
      [
        { kind: 'refund', amount: 300, status: 'succeeded' },
        { kind: 'dispute', amount: 600, status: 'open' },
        { kind: 'dispute', amount: 100, status: 'won' },
      ],
      { refunded: 300, disputed: 600, hasDispute: true },
    ],
  ])('%s', async (_title, reports, expected) => {
    const { id, paymentIntentId } = await tables.paid();
    for (const report of reports) await save(paymentIntentId, report);
    expect(await movedOfOne(id)).toEqual({ ...none, ...expected });
  });

  it('that was reported before the payment is linked when the payment is saved', async () => {
    const paymentIntentId = `pi_${randomUUID()}`;
    await save(paymentIntentId, { kind: 'refund', amount: 100, status: 'succeeded' });
    await save(paymentIntentId, { kind: 'dispute', amount: 200, status: 'open' });
    const { id } = await tables.paid({ paymentIntentId });
    expect(await movedOfOne(id)).toMatchObject({ refunded: 100, disputed: 200 });
  });

  it('is read for each purchase apart, also in one query, and for no unknown purchase', async () => {
    const [one, other] = [await tables.paid(), await tables.paid()];
    await save(one.paymentIntentId, { kind: 'refund', amount: 900, status: 'succeeded' });
    const unknown = randomUUID();
    const moved = await findMovedMoney(tables.db, [one.id, other.id, unknown]);
    expect([moved.get(one.id)?.refunded, moved.get(other.id)?.refunded, moved.has(unknown)]).toEqual([
      900,
      0,
      false,
    ]);
  });

  it('of an unpaid purchase is nothing, whatever else has been refunded', async () => {
    await save(`pi_${randomUUID()}`, { kind: 'refund', amount: 900, status: 'succeeded' });
    const { id } = await tables.insert();
    expect(await movedOfOne(id)).toEqual(none);
  });

  it('says that the block is taken back only while its money has not followed', async () => {
    const { id } = await tables.paid();
    const taken = async () => (await movedOfOne(id))?.isTakenBack;
    await insertRequest(tables.db, { purchaseId: id, reason: null, state: 'asked' }, new Date());
    expect(await taken()).toBe(false);
    await markTaken(tables.db, id);
    expect(await taken()).toBe(true);
    await markSubmitted(tables.db, id, `re_${randomUUID()}`);
    expect(await taken()).toBe(false);
  });
});

describe('the status of a refund', () => {
  const statuses = ['pending', 'succeeded', 'failed'] as const;
  const orders = statuses.flatMap((a) => statuses.flatMap((b) => statuses.map((c) => [a, b, c] as const)));

  it.each(orders)('is the furthest of %s, %s and %s, in this order of arrival', async (...reported) => {
    const { paymentIntentId } = await tables.paid();
    const id = randomUUID();
    for (const status of reported) await save(paymentIntentId, { kind: 'refund', amount: 1, status }, id);
    const furthest = Math.max(...reported.map((status) => statuses.indexOf(status)));
    expect((await tables.db.refund.findUniqueOrThrow({ where: { id } })).status).toBe(statuses[furthest]);
  });
});

describe('the status of a dispute', () => {
  it.each<[readonly DisputeState[], DisputeState]>([
    [['open', 'won'], 'won'],
    [['won', 'open'], 'won'],
    [['lost', 'open'], 'lost'],
    [['open', 'open', 'lost', 'open'], 'lost'],
    [['won', 'lost'], 'won'],
    [['lost', 'won'], 'lost'],
  ])('after the reports %j is %s', async (reported, expected) => {
    const { paymentIntentId } = await tables.paid();
    const id = randomUUID();
    for (const status of reported) await save(paymentIntentId, { kind: 'dispute', amount: 1, status }, id);
    expect((await tables.db.dispute.findUniqueOrThrow({ where: { id } })).status).toBe(expected);
  });

  it('is the end, if the end and many repeats of the beginning arrive at once', async () => {
    const { id: purchaseId, paymentIntentId } = await tables.paid();
    const id = randomUUID();
    const reports = (['open', 'open', 'won', 'open', 'open', 'open'] as const).map((status) =>
      save(paymentIntentId, { kind: 'dispute', amount: 900, status }, id),
    );
    await Promise.all(reports);
    expect(await movedOfOne(purchaseId)).toMatchObject({ disputed: 0, hasDispute: true });
  });
});

it('the same reports leave the same books in every order, and a worth from nothing to the block', async () => {
  const report = fc.oneof(
    fc.record({
      ...{ kind: fc.constant('refund' as const), amount: fc.integer({ min: 1, max: 1_000 }) },
      status: fc.constantFrom<RefundState>('pending', 'succeeded', 'failed'),
    }),
    fc.record({
      ...{ kind: fc.constant('dispute' as const), amount: fc.integer({ min: 1, max: 1_000 }) },
      status: fc.constantFrom<DisputeState>('open', 'won', 'lost'),
    }),
  );
  const history = fc.array(report, { minLength: 1, maxLength: 5 }).chain((reports) =>
    fc.tuple(
      fc.constant(reports),
      fc.shuffledSubarray([...reports.keys(), ...reports.keys()], {
        minLength: 2 * reports.length,
        maxLength: 2 * reports.length,
      }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(history, async ([reports, order]) => {
      const [straight, shuffled] = [await tables.paid(), await tables.paid()];
      for (const one of reports) await save(straight.paymentIntentId, one);
      const ids = reports.map(() => randomUUID());
      // Each report arrives twice.
      for (const index of order) await save(shuffled.paymentIntentId, reports[index] as Report, ids[index]);
      const moved = await findMovedMoney(tables.db, [straight.id, shuffled.id]);
      const [one, other] = [moved.get(straight.id), moved.get(shuffled.id)];
      expect(other).toEqual(one);
      const worth = computeWorth({ ...straight, ...(one ?? none) });
      expect(worth >= 0 && worth <= straight.block).toBe(true);
    }),
    { numRuns: proven(12, 400) },
  );
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { after, NOW, startTables, type Tables } from '../test-support/stored-purchases.ts';
import {
  countMismatched,
  deleteRequest,
  findRefundStatuses,
  findRequest,
  findRequests,
  insertRequest,
  markSubmitted,
  markTaken,
  noteMismatch,
  noteMismatches,
  saveDispute,
  saveRefund,
} from './money.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const asked = async () => {
  const { id } = await tables.paid();
  await insertRequest(tables.db, { purchaseId: id, reason: 'by mistake', state: 'asked' }, NOW);
  return id;
};
const readState = async (purchaseId: string) => (await findRequest(tables.db, purchaseId))?.state ?? null;

describe('a refund request', () => {
  it('exists once for a purchase, for any number of concurrent requests, and keeps its id', async () => {
    const { id: purchaseId } = await tables.paid();
    const request = { purchaseId, reason: null, state: 'asked' } as const;
    const inserted = await Promise.all(Array.from({ length: 8 }, () => insertRequest(tables.db, request, NOW)));
    expect(inserted.filter(Boolean)).toHaveLength(1);
    const before = await findRequest(tables.db, purchaseId);
    expect(await insertRequest(tables.db, { ...request, state: 'taken' }, after(1))).toBe(false);
    expect(await findRequest(tables.db, purchaseId)).toEqual(before);
  });

  it('keeps the reason of the customer, and the time of the request', async () => {
    const purchaseId = await asked();
    const row = await tables.db.refundRequest.findUniqueOrThrow({ where: { purchaseId } });
    expect(row).toMatchObject({ reason: 'by mistake', askedAt: NOW });
  });

  it('goes from asked to taken to submitted, and never back', async () => {
    const purchaseId = await asked();
    const processorId = `re_${randomUUID()}`;
    const states: (string | null)[] = [];
    const step = async (work: Promise<unknown>) => {
      await work;
      states.push(await readState(purchaseId));
    };
    await step(markSubmitted(tables.db, purchaseId, processorId));
    await step(markTaken(tables.db, purchaseId));
    await step(deleteRequest(tables.db, purchaseId));
    await step(markSubmitted(tables.db, purchaseId, processorId));
    await step(markTaken(tables.db, purchaseId));
    await step(markSubmitted(tables.db, purchaseId, null));
    await step(deleteRequest(tables.db, purchaseId));
    expect(states).toEqual(['asked', 'taken', 'taken', ...Array.from({ length: 4 }, () => 'submitted')]);
    expect((await findRequest(tables.db, purchaseId))?.processorId).toBe(processorId);
  });

  it('that the processor rejects is refused, and a late answer does not change that', async () => {
    const purchaseId = await asked();
    await markTaken(tables.db, purchaseId);
    await markSubmitted(tables.db, purchaseId, null);
    await markSubmitted(tables.db, purchaseId, `re_${randomUUID()}`);
    expect(await findRequest(tables.db, purchaseId)).toMatchObject({ state: 'refused', processorId: null });
  });

  it('whose block cannot be taken back is deleted, so that the customer may request it again', async () => {
    const purchaseId = await asked();
    await deleteRequest(tables.db, purchaseId);
    expect(await readState(purchaseId)).toBeNull();
    expect(await insertRequest(tables.db, { purchaseId, reason: null, state: 'asked' }, NOW)).toBe(true);
  });

  it('ends as one of both if it is taken and deleted at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const purchaseId = await asked();
      await Promise.all([markTaken(tables.db, purchaseId), deleteRequest(tables.db, purchaseId)]);
      expect([null, 'taken']).toContain(await readState(purchaseId));
    }
  });

  it('is found for each of several purchases, and for none that has no request', async () => {
    const [one, other] = [await asked(), await asked()];
    const { id: without } = await tables.paid();
    await markTaken(tables.db, other);
    const found = await findRequests(tables.db, [one, other, without]);
    expect([one, other, without].map((id) => found.get(id)?.state)).toEqual(['asked', 'taken', undefined]);
  });

  it('keeps its purchase: a purchase with a request cannot be deleted', async () => {
    const id = await asked();
    await expect(tables.db.purchase.delete({ where: { id } })).rejects.toThrow();
  });
});

it('statuses of refunds are read by their ids at the processor, and unknown refunds have none', async () => {
  const { paymentIntentId } = await tables.paid();
  const [sent, failed] = [`re_${randomUUID()}`, `re_${randomUUID()}`];
  const money = { paymentIntentId, amount: 1, currency: 'usd' };
  await saveRefund(tables.db, { ...money, id: sent, status: 'pending' });
  await saveRefund(tables.db, { ...money, id: failed, status: 'failed' });
  const statuses = await findRefundStatuses(tables.db, [sent, failed, 're_unknown']);
  expect(statuses).toEqual(
    new Map([
      [sent, 'pending'],
      [failed, 'failed'],
    ]),
  );
});

describe('money that contradicts its purchase', () => {
  const notedOf = async (purchaseId: string) =>
    (await tables.db.mismatchedPayment.findMany({ where: { purchaseId }, orderBy: { code: 'asc' } })).map(
      ({ code }) => code,
    );

  it.each<[string, object, object, string[]]>([
    ['of the price is noted nowhere', {}, {}, []],
    [
      'above the price is noted for each',
      { amount: 901 },
      { amount: 901 },
      ['payment_dispute_mismatch', 'payment_refund_mismatch'],
    ],
    ['in another currency is noted', { currency: 'eur' }, {}, ['payment_refund_mismatch']],
    ['of a dispute only is noted as such', {}, { currency: 'eur', amount: 1 }, ['payment_dispute_mismatch']],
  ])('%s', async (_title, refund, dispute, codes) => {
    const { id, paymentIntentId } = await tables.paid();
    const money = { paymentIntentId, amount: 900, currency: 'usd' };
    await saveRefund(tables.db, { ...money, id: randomUUID(), status: 'succeeded', ...refund });
    await saveDispute(tables.db, { ...money, id: randomUUID(), status: 'open', ...dispute });
    await Promise.all([1, 2, 3].map(() => noteMismatches(tables.db, id)));
    expect(await notedOf(id)).toEqual(codes);
  });

  it('of one purchase is not noted for another', async () => {
    const [one, other] = [await tables.paid(), await tables.paid()];
    const money = { id: randomUUID(), paymentIntentId: one.paymentIntentId, currency: 'usd' };
    await saveRefund(tables.db, { ...money, amount: 5_000, status: 'succeeded' });
    await noteMismatches(tables.db, other.id);
    expect(await notedOf(other.id)).toEqual([]);
  });

  it('counts for operators once for an event, until one has looked at it', async () => {
    const before = (await countMismatched(tables.db)).count;
    const id = `evt_${randomUUID()}`;
    for (let times = 0; times < 3; times += 1) await noteMismatch(tables.db, id, 'payment_product_mismatch');
    expect((await countMismatched(tables.db)).count).toBe(before + 1);
    await tables.db.mismatchedPayment.update({ where: { id }, data: { lookedAt: new Date() } });
    await noteMismatch(tables.db, id, 'payment_product_mismatch');
    expect((await countMismatched(tables.db)).count).toBe(before);
  });

  it('has the age of the oldest that no operator has looked at', async () => {
    await tables.db.mismatchedPayment.updateMany({ data: { lookedAt: new Date() } });
    expect(await countMismatched(tables.db)).toEqual({ count: 0, oldestSeconds: 0 });
    const noted = async (id: string, seconds: number) =>
      tables.db.mismatchedPayment.create({
        data: { id, code: 'x', notedAt: new Date(Date.now() - seconds * 1_000) },
      });
    await noted(randomUUID(), 60);
    await noted(randomUUID(), 600);
    const { count, oldestSeconds } = await countMismatched(tables.db);
    expect(count).toBe(2);
    expect(oldestSeconds).toBeGreaterThanOrEqual(590);
    expect(oldestSeconds).toBeLessThan(700);
  });
});

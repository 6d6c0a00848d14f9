import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { NOW, startTables, type Tables } from '../test-support/stored-purchases.ts';
import { saveGranted } from './customers.ts';
import { lockPayments, lockPurchases, markPaid } from './purchases.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const newPayment = (id: string, paidAt = NOW) => ({
  ...{ id, sessionId: `cs_${id}`, customerId: `cus_${id}`, paymentIntentId: `pi_${id}`, paidAt },
});

describe('locks', () => {
  it('of purchases name them by their ids and their payments, each once', async () => {
    const [one, other] = [await tables.paid(), await tables.paid()];
    const named = {
      ids: [one.id, one.id, randomUUID()],
      paymentIntentIds: [one.paymentIntentId, other.paymentIntentId],
    };
    const locked = await tables.db.$transaction((tx) => lockPurchases(tx, named));
    expect([...locked.keys()].toSorted()).toEqual([one.id, other.id].toSorted());
    expect(await lockPurchases(tables.db, { ids: [] })).toEqual(new Map());
  });

  it('in opposite orders block no transaction for ever', async () => {
    const paid = await Promise.all(Array.from({ length: 8 }, () => tables.paid()));
    const work = (ordered: typeof paid) =>
      tables.db.$transaction(async (tx) => {
        await lockPayments(
          tx,
          ordered.map(({ paymentIntentId }) => paymentIntentId),
        );
        return (await lockPurchases(tx, { ids: ordered.map(({ id }) => id) })).size;
      });
    const sizes = Array.from({ length: 8 }, (_, index) => work(index % 2 === 0 ? paid : paid.toReversed()));
    expect(await Promise.all(sizes)).toEqual(Array.from({ length: 8 }, () => 8));
  });

  it('come before those of their customers, so that two grants never wait for each other', async () => {
    const { id } = await tables.paid();
    const [hasLocked, mayGrant] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = tables.db.$transaction(async (tx) => {
      await lockPurchases(tx, { ids: [id] });
      hasLocked.resolve();
      await mayGrant.promise;
      return saveGranted(tx, [id]);
    });
    await hasLocked.promise;
    const second = tables.db.$transaction((tx) => saveGranted(tx, [id]));
    await eventually(async () =>
      expect(await tables.db.$queryRaw`SELECT 1 FROM pg_locks WHERE NOT granted`).not.toHaveLength(0),
    );
    mayGrant.resolve();
    expect(await second).toEqual(await first);
  });

  it('read the row as it is after the transaction that held it', async () => {
    const { id } = await tables.insert();
    const [hasLocked, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = tables.db.$transaction(async (tx) => {
      await lockPurchases(tx, { ids: [id] });
      hasLocked.resolve();
      await mayEnd.promise;
      await markPaid(tx, [newPayment(id)], NOW);
    });
    await hasLocked.promise;
    const second = tables.db.$transaction(
      async (tx) => (await lockPurchases(tx, { ids: [id] })).get(id)?.state,
    );
    mayEnd.resolve();
    await first;
    expect(await second).toBe('paid');
  });
});

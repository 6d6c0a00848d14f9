import { randomUUID } from 'node:crypto';
import { createTestPool } from '@tds/base/testing';
import { createTestDatabase } from '@tds/test-kit';
import { createDatabase, type Database } from '../store/database.ts';
import { findPurchase, type StoredPurchase } from '../store/purchases.ts';

export const NOW = new Date('2026-03-04T12:00:00.000Z');
export const after = (ms: number): Date => new Date(NOW.getTime() + ms);

/** A purchase of an account, as it is inserted. */
export const newPurchase = (fields: Partial<StoredPurchase> = {}) => ({
  ...{ id: randomUUID(), boughtBy: 'account' as const, accountId: randomUUID(), email: null },
  ...{ block: 20 as const, amount: 900, currency: 'usd', customerId: null, idempotencyKey: null },
  ...{ createdAt: NOW, expiresAt: after(1_800_000) },
  ...fields,
});

export const ofStranger = (email = `${randomUUID()}@example.com`) =>
  ({ boughtBy: 'stranger', accountId: null, email }) as const;

/** The tables of billing in a database of their own. */
export const startTables = async () => {
  const database = await createTestDatabase('billing');
  const pool = createTestPool(database.url, 8);
  const db: Database = createDatabase(pool);
  const insert = async (fields: Partial<StoredPurchase> = {}) => {
    const { id } = await db.purchase.create({
      data: { ...newPurchase(fields), state: 'open', changedAt: NOW, ...fields },
    });
    return (await findPurchase(db, id)) as StoredPurchase;
  };
  return {
    db,
    insert,
    /** A purchase that is paid; its payment has an id of its own. */
    paid: (fields: Partial<StoredPurchase> = {}) =>
      insert({ state: 'paid', paidAt: NOW, paymentIntentId: `pi_${randomUUID()}`, ...fields }) as Promise<
        StoredPurchase & { readonly paymentIntentId: string }
      >,
    find: async (id: string) => (await findPurchase(db, id)) as StoredPurchase,
    stop: async (): Promise<void> => {
      await db.$disconnect();
      await pool.end();
      await database.drop();
    },
  };
};
export type Tables = Awaited<ReturnType<typeof startTables>>;

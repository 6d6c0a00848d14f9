import { HOUR_MS } from '@tds/contracts';
import { later, OPENING_MS } from '../domain/checkout.ts';
import type { Db } from './database.ts';
import { PurchaseState } from './prisma/enums.ts';
import { type StoredPurchase, toPurchase } from './purchases.ts';

type NewPurchase = Pick<
  StoredPurchase,
  | 'id'
  | 'boughtBy'
  | 'accountId'
  | 'email'
  | 'block'
  | 'amount'
  | 'currency'
  | 'expiresAt'
  | 'createdAt'
  | 'customerId'
  | 'idempotencyKey'
> &
  Partial<Pick<StoredPurchase, 'personId'>>;

/** A purchase that can still be paid on a page. */
const UNPAID = { in: [PurchaseState.opening, PurchaseState.open] };

/**
 * Finds the purchase that an earlier request with this key began, unless its page never opened. A stranger's key applies to one block
 * only.
 */
export const findRepeated = async (
  db: Db,
  { accountId, email, block }: Pick<StoredPurchase, 'accountId' | 'email' | 'block'>,
  idempotencyKey: string,
): Promise<StoredPurchase | null> => {
  const buyer = email === null ? { accountId, email: null } : { email, block };
  const hasPage = { OR: [{ pageUrl: { not: null } }, { state: PurchaseState.opening }] };
  return toPurchase(await db.purchase.findFirst({ where: { ...buyer, ...hasPage, idempotencyKey } }));
};

/**
 * Inserts a purchase whose page is about to open. First expires the account's page if its time is over. Resolves to false if the account
 * has an open page, or if the same request is opening one.
 */
export const insertOpening = async (db: Db, purchase: NewPurchase): Promise<boolean> => {
  const { accountId, createdAt: now } = purchase;
  if (accountId !== null)
    await db.purchase.updateMany({
      where: { accountId, state: UNPAID, expiresAt: { lte: now } },
      data: { state: 'expired', changedAt: now },
    });
  const data = [{ ...purchase, state: PurchaseState.opening, changedAt: now }];
  const { count } = await db.purchase.createMany({ data, skipDuplicates: true });
  return count === 1;
};

/** Finds the purchase whose page the account has open; there is one at most. */
export const findOpen = async (db: Db, accountId: string): Promise<StoredPurchase | null> =>
  toPurchase(await db.purchase.findFirst({ where: { accountId, state: UNPAID } }));

export const markOpen = (db: Db, id: string, page: { readonly sessionId: string; readonly pageUrl: string }) =>
  db.purchase.updateMany({ where: { id, state: 'opening' }, data: { ...page, state: 'open' } });

/** Expires a purchase that is not paid. A payment that arrives later still counts. */
export const markExpired = async (db: Db, id: string, now: Date) => {
  const where = { id, state: { in: [...UNPAID.in, PurchaseState.processing] } };
  await db.purchase.updateMany({ where, data: { state: 'expired', changedAt: now } });
};

/** Expires pages whose time is over and pages that a dead process left opening. Resolves to their number. */
export const expireOld = (db: Db, now: Date): Promise<number> =>
  // Postgres uses the index of unpaid purchases only if the states are literals, which Prisma sends as parameters.
  db.$executeRaw`
    UPDATE purchases SET state = 'expired', changed_at = ${now}
    WHERE state IN ('opening', 'open')
      AND (expires_at <= ${now} OR (state = 'opening' AND created_at <= ${later(now, -OPENING_MS)}))`;

/** Counts a checkout of a caller in its hour. Resolves to the time of its next checkout, or null if this one is allowed. */
export const countCheckout = async (db: Db, caller: string, limit: number, now: Date): Promise<Date | null> => {
  const since = later(now, -HOUR_MS);
  const [row] = await db.$queryRaw<{ checkouts: number; startedAt: Date }[]>`
    INSERT INTO checkout_windows AS w (caller, started_at, checkouts) VALUES (${caller}, ${now}::timestamptz, 1)
    ON CONFLICT (caller) DO UPDATE SET
      started_at = CASE WHEN w.started_at > ${since}::timestamptz THEN w.started_at ELSE excluded.started_at END,
      checkouts = CASE WHEN w.started_at > ${since}::timestamptz THEN least(w.checkouts, ${limit}::integer) + 1 ELSE 1 END
    RETURNING checkouts, started_at AS "startedAt"`;
  return row && row.checkouts > limit ? later(row.startedAt, HOUR_MS) : null;
};

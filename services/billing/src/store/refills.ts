import type { Database, Db } from './database.ts';
import type { Refill } from './prisma/client.ts';
import { PurchaseState } from './prisma/enums.ts';
import type { StoredPurchase } from './purchases.ts';

export type StoredRefill = Refill;
/** One that buys, so the constraints of its table say. */
export type RunningRefill = { readonly [Field in keyof Omit<Refill, 'reason'>]: NonNullable<Refill[Field]> } & {
  readonly block: StoredPurchase['block'];
};

export const findRefill = (db: Db, accountId: string): Promise<StoredRefill | null> =>
  db.refill.findUnique({ where: { accountId } });

export const toRunning = (refill: StoredRefill | null): RunningRefill | null =>
  refill?.state === 'on' ? (refill as RunningRefill) : null;

/** Locks the refill of an account until the transaction ends; null if it has never had one. */
export const lockRefill = async (db: Db, accountId: string): Promise<StoredRefill | null> => {
  await db.$queryRaw`SELECT FROM refills WHERE account_id = ${accountId}::uuid FOR UPDATE`;
  return findRefill(db, accountId);
};

/** Inserts one that is off, unless the account has one, and locks it. */
export const enterRefill = async (db: Db, accountId: string, personId: string, changedAt: Date) => {
  await db.refill.createMany({ data: [{ accountId, personId, changedAt }], skipDuplicates: true });
  return (await lockRefill(db, accountId)) as StoredRefill;
};

export type RefillChange = Partial<Omit<StoredRefill, 'accountId' | 'version' | 'changedAt'>>;

/** Changes a locked refill. Its new version is the time in milliseconds, or one more than the last, so that it stays the newest after a restore. */
export const changeRefill = (
  db: Db,
  { accountId, version }: Pick<StoredRefill, 'accountId' | 'version'>,
  change: RefillChange,
  now: Date,
): Promise<StoredRefill> => {
  const next = BigInt(Math.max(Number(version) + 1, now.getTime()));
  return db.refill.update({ where: { accountId }, data: { ...change, version: next, changedAt: now } });
};

/** Those that buy, by account. */
export const findRunningPage = (db: Db, after: string | null, limit: number) =>
  db.$queryRaw<{ accountId: string; version: number }[]>`
    SELECT account_id AS "accountId", version::float8 FROM refills
    WHERE state = 'on' AND (${after}::uuid IS NULL OR account_id > ${after}::uuid) ORDER BY account_id LIMIT ${limit}`;

const IS_REFILL = { paymentMethodId: { not: null } };

/** The ids of refills under way, in pages. */
export const findOpenPage = async (db: Db, after: string | null, limit: number): Promise<{ id: string }[]> =>
  db.purchase.findMany({
    where: { ...IS_REFILL, state: PurchaseState.processing, ...(after !== null && { id: { gt: after } }) },
    select: { id: true },
    orderBy: { id: 'asc' },
    take: limit,
  });

/** Whether a refill of the account is under way, or paid and its credits are to come. */
export const hasUnfinished = async (db: Db, accountId: string): Promise<boolean> => {
  const ungranted = { state: PurchaseState.paid, grantedAt: null, request: null };
  const where = { accountId, ...IS_REFILL, OR: [{ state: PurchaseState.processing }, ungranted] };
  return (await db.purchase.count({ where })) > 0;
};

/** What refills since then have cost, with one under way, also if their money was returned. */
export const sumRefills = async (db: Db, accountId: string, since: Date): Promise<number> => {
  const { _sum: sum } = await db.purchase.aggregate({
    where: { accountId, ...IS_REFILL, state: { in: ['processing', 'paid'] }, createdAt: { gte: since } },
    _sum: { amount: true },
  });
  return sum.amount ?? 0;
};

type NewRefill = Pick<
  StoredPurchase,
  'id' | 'accountId' | 'personId' | 'block' | 'amount' | 'currency' | 'customerId' | 'paymentMethodId'
> &
  Pick<StoredPurchase, 'createdAt' | 'expiresAt'>;

/** Inserts a refill under way. Resolves to false if the account has one already. */
export const insertOpenRefill = async (db: Db, refill: NewRefill): Promise<boolean> => {
  const state = PurchaseState.processing;
  const data = [{ ...refill, boughtBy: 'account' as const, state, changedAt: refill.createdAt }];
  return (await db.purchase.createMany({ data, skipDuplicates: true })).count === 1;
};

/** Inserts refills that a restore has lost, as expired: what the processor says of their payments is applied next. */
export const insertLostRefills = async (db: Database, refills: readonly NewRefill[], now: Date) => {
  const shared = { boughtBy: 'account' as const, state: PurchaseState.expired, changedAt: now };
  await db.purchase.createMany({
    data: refills.map((refill) => ({ ...refill, ...shared })),
    skipDuplicates: true,
  });
};

/** A refill under way; null if it has ended, or is none. */
export const toOpenRefill = (purchase: StoredPurchase | null | undefined) =>
  purchase?.state === 'processing' && purchase.paymentMethodId !== null && purchase.accountId !== null
    ? { ...purchase, accountId: purchase.accountId, paymentMethodId: purchase.paymentMethodId }
    : null;
export type OpenRefill = NonNullable<ReturnType<typeof toOpenRefill>>;

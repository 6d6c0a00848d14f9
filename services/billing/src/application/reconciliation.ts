import { walk } from '@tds/base';
import {
  creditBlock,
  creditsLedger,
  type GrantedBlock,
  HOUR_MS,
  MAX_BLOCKS,
  purchaseRef,
  SECOND_MS,
  uuid,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { Context } from '@tds/messaging';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { later } from '../domain/checkout.ts';
import { hasLedgerItsWorth, isUntouched, type MovedMoney } from '../domain/purchase.ts';
import { findMovedMoney, findRequests } from '../store/money.ts';
import { readUpTo, saveUpTo } from '../store/payment-events.ts';
import { findPaidPage, findStoredIds, type StoredPurchase } from '../store/purchases.ts';
import type { Session } from '../upstream/wire.ts';
import { enqueueSettling } from './settling.ts';

const isReconciled = (purchase: StoredPurchase, money: MovedMoney | undefined, net: number): boolean =>
  money !== undefined && hasLedgerItsWorth({ ...purchase, ...money }, net);

/**
 * Filters purchases whose block is not worth what they are, whose refund is under way, or whose account was closed with the block untouched.
 * Reads the ledger first, as `syncLedger` does.
 */
const findUnsettled = async (
  { call, db }: Pick<Deps, 'call' | 'db'>,
  page: readonly StoredPurchase[],
  context: Context,
) => {
  const ids = page.map(({ id }) => id);
  const { rows } = await call(creditsLedger.lookUpGrants, { refs: ids.map(purchaseRef) }, context);
  const [moneyById, requests] = [await findMovedMoney(db, ids), await findRequests(db, ids)];
  const blocks = new Map(rows.map((row) => [row.ref, row]));
  return page.filter((purchase) => {
    const { id } = purchase;
    const block = blocks.get(purchaseRef(id));
    const request = requests.get(id);
    const isUnderWay = ['asked', 'taken'].includes(request?.state ?? '');
    const isUnrefunded = block?.isClosed === true && isUntouched(block) && request === undefined;
    return isUnderWay || isUnrefunded || !isReconciled(purchase, moneyById.get(id), block?.net ?? 0);
  });
};

/**
 * Settles purchases that changed at `since` or later and differ from the ledger: after a crash, a dead letter, or a restore of either
 * database. Leaves purchases alone that changed less than `olderThanMs` ago.
 */
export const reconcileWithLedger = async (
  deps: Pick<Deps, 'call' | 'db' | 'messaging' | 'log' | 'now'>,
  { since, olderThanMs }: { readonly since: Date; readonly olderThanMs: number },
  context: Context,
) => {
  const { db, messaging, log, now } = deps;
  const newest = later(await now(), -olderThanMs);
  let settled = 0;
  const find = (after: StoredPurchase | null) => findPaidPage(db, { since, after, limit: MAX_BLOCKS });
  const work = async (page: readonly StoredPurchase[]): Promise<void> => {
    const old = page.filter(({ changedAt }) => changedAt <= newest);
    const unsettled = await findUnsettled(deps, old, context);
    await messaging.transaction(db, async (_tx, send) => {
      for (const { id } of unsettled) await enqueueSettling(send, id);
    });
    settled += unsettled.length;
  };
  try {
    await walk(find, work, context.signal);
  } finally {
    if (settled > 0) log.warn('purchases differ from the ledger and are settled again', { settled });
  }
};

const PREFIX = purchaseRef('');

/**
 * Finds grants of the ledger whose purchases a restore has lost here. Rewinds the reading of the processor's events to the oldest of them:
 * its events recreate the purchase with all that happened to it.
 */
export const findLostPurchases = async (
  { call, db, log }: Pick<Deps, 'call' | 'db' | 'log'>,
  range: { readonly olderThanMs: number; readonly youngerThanMs: number },
  context: Context,
) => {
  const find = async (after: GrantedBlock | null) =>
    (await call(creditsLedger.listGrants, { ...range, limit: MAX_BLOCKS, after }, context)).rows;
  // The oldest come first.
  const work = async (page: readonly GrantedBlock[]): Promise<void> => {
    const idOf = ({ ref }: GrantedBlock) => ref.slice(PREFIX.length);
    const storedIds = await findStoredIds(db, page.map(idOf));
    const [oldest, ...more] = page.filter((block) => !storedIds.has(idOf(block)));
    if (!oldest) return;
    log.error('the ledger has purchases that are missing here', { lost: more.length + 1, ref: oldest.ref });
    const from = later(new Date(oldest.grantedAt), -HOUR_MS);
    const upTo = await readUpTo(db);
    if (upTo && from < upTo) await saveUpTo(db, from);
  };
  await walk(find, work, context.signal);
};

/** The metadata that `openSession` gives to everything that the processor has of a purchase. */
const ownMetadata = z.object({
  purchase_id: uuid,
  account_id: uuid.optional(),
  block: z.coerce.number().pipe(creditBlock),
});

/** Reads the purchase of a session. Throws `payment_account_unknown` for a session that we did not open. */
export const purchaseIdOf = ({ client_reference_id: reference }: Session): string => {
  const id = uuid.safeParse(reference);
  if (!id.success) throw serviceError('payment_account_unknown');
  return id.data;
};

const toPurchaseFields = (session: Session) => {
  const metadata = ownMetadata.safeParse(session.metadata);
  const { customer_email: email, amount_total: amount, currency } = session;
  if (!metadata.success || amount === null || !currency) throw serviceError('payment_account_unknown');
  const { purchase_id: id, account_id: accountId = null, block } = metadata.data;
  if (id !== session.client_reference_id) throw serviceError('payment_session_mismatch');
  const fields = { id, accountId, block, amount, currency };
  if (accountId !== null) return { ...fields, boughtBy: 'account', email: null } as const;
  if (!email) throw serviceError('payment_account_unknown');
  return { ...fields, boughtBy: 'stranger', email } as const;
};

type RecreationDeps = Pick<Deps, 'db' | 'processor' | 'now'>;

const recreatePurchase = async ({ db, processor, now }: RecreationDeps, sessionId: string) => {
  const session = await processor.readSession(sessionId);
  // A session of another product on the same account of the processor.
  if (session === null) throw serviceError('payment_account_unknown');
  const at = await now();
  const { customer: customerId = null } = session;
  const times = {
    createdAt: session.created === undefined ? at : new Date(session.created * SECOND_MS),
    expiresAt: new Date(session.expires_at * SECOND_MS),
    changedAt: at,
  };
  // Inserted as expired; the event that is being applied reports whether it was paid.
  const state = 'expired' as const;
  const data = [{ ...toPurchaseFields(session), ...times, customerId, sessionId: session.id, state }];
  await db.purchase.createMany({ data, skipDuplicates: true });
};

type NamedSession = { readonly purchaseId: string; readonly session: Pick<Session, 'id'> };

/** Recreates purchases lost in a restore from the processor's sessions, which are read again instead of trusting an event. */
export const recreatePurchases = async (deps: RecreationDeps, sessions: readonly NamedSession[]) => {
  if (sessions.length === 0) return;
  const storedIds = await findStoredIds(
    deps.db,
    sessions.map(({ purchaseId }) => purchaseId),
  );
  const missing = sessions.filter(({ purchaseId }) => !storedIds.has(purchaseId));
  await Promise.all(missing.map(({ session }) => recreatePurchase(deps, session.id)));
};

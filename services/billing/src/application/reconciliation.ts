import {
  creditBlock,
  creditsLedger,
  type GrantedBlock,
  MOST_BLOCKS,
  purchaseRef,
  serviceError,
  uuid,
} from '@tds/contracts';
import { type Context, walk } from '@tds/service-kit';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { later } from '../domain/checkout.ts';
import { isSettled } from '../domain/purchase.ts';
import { type MovedMoney, movedOf, requestsOf } from '../store/moved-money.ts';
import { readUpTo, saveUpTo } from '../store/payment-events.ts';
import { knownIds, pageOfPaid, type StoredPurchase } from '../store/purchases.ts';
import type { Session } from '../upstream/wire.ts';
import { enqueueSettling } from './settling.ts';

type Needed = Pick<Deps, 'call' | 'db' | 'messaging' | 'log' | 'now'>;

const isRight = (purchase: StoredPurchase, moved: MovedMoney | undefined, standing: number): boolean =>
  moved !== undefined && isSettled({ ...purchase, ...moved }, standing);

/** Those whose block is not what they are worth, or whose refund has not got on. As in `bringLedger`, the ledger is asked first. */
const unsettled = async (
  { call, db }: Needed,
  page: readonly StoredPurchase[],
  context: Context,
): Promise<StoredPurchase[]> => {
  const ids = page.map(({ id }) => id);
  const { rows } = await call(creditsLedger.lookUpGrants, { refs: ids.map(purchaseRef) }, context);
  const [moved, requests] = [await movedOf(db, ids), await requestsOf(db, ids)];
  const standing = new Map(rows.map((row) => [row.ref, row.standing]));
  return page.filter((purchase) => {
    const { id } = purchase;
    const isUnderWay = ['asked', 'taken'].includes(requests.get(id)?.state ?? '');
    return isUnderWay || !isRight(purchase, moved.get(id), standing.get(purchaseRef(id)) ?? 0);
  });
};

/**
 * Settles anew whatever does not stand at the ledger as it should: after a death, a dead letter, or where one of both databases is one of
 * earlier. What is under way for less than `olderThanMs` is left alone.
 */
export const reconcileWithLedger = async (
  deps: Needed,
  { since, olderThanMs }: { readonly since: Date; readonly olderThanMs: number },
  context: Context,
): Promise<void> => {
  const { db, messaging, log, now } = deps;
  const newest = later(await now(), -olderThanMs);
  let settled = 0;
  const find = (after: StoredPurchase | null) => pageOfPaid(db, { since, after, limit: MOST_BLOCKS });
  const work = async (page: readonly StoredPurchase[]): Promise<void> => {
    const due = await unsettled(
      deps,
      page.filter(({ changedAt }) => changedAt <= newest),
      context,
    );
    await messaging.transaction(db, async (_tx, send) => {
      for (const { id } of due) await enqueueSettling(send, id);
    });
    settled += due.length;
  };
  try {
    await walk(find, work, context.signal);
  } finally {
    if (settled > 0) log.warn('purchases that the ledger had otherwise are settled anew', { settled });
  }
};

type NeededLostPurchases = Pick<Deps, 'call' | 'db' | 'log'>;
type Range = { readonly olderThanMs: number; readonly youngerThanMs: number };

const HOUR_MS = 3_600_000;
const PREFIX = purchaseRef('');

/** Those that we do not know, the oldest first. */
const unknownOf = async (
  { db }: NeededLostPurchases,
  page: readonly GrantedBlock[],
): Promise<GrantedBlock[]> => {
  const idOf = ({ ref }: GrantedBlock) => ref.slice(PREFIX.length);
  const known = await knownIds(db, page.map(idOf));
  return page.filter((block) => !known.has(idOf(block)));
};

/**
 * Looks for what the ledger has granted. What is unknown here was lost with an earlier state of this database: the processor's events
 * are read again from that time on, which brings the purchase back with all that happened to it.
 */
export const lookForLostPurchases = async (
  deps: NeededLostPurchases,
  range: Range,
  context: Context,
): Promise<void> => {
  const { call, db, log } = deps;
  const asked = { ...range, limit: MOST_BLOCKS };
  const find = async (after: GrantedBlock | null) =>
    (await call(creditsLedger.listGrants, { ...asked, after }, context)).rows;
  const work = async (page: readonly GrantedBlock[]): Promise<void> => {
    const [oldest, ...more] = await unknownOf(deps, page);
    if (!oldest) return;
    log.error('the ledger has purchases that are unknown here', { lost: more.length + 1, ref: oldest.ref });
    const from = later(new Date(oldest.grantedAt), -HOUR_MS);
    const upTo = await readUpTo(db);
    if (upTo && from < upTo) await saveUpTo(db, from);
  };
  await walk(find, work, context.signal);
};

const MS = 1_000;

/** What `openSession` has written into everything that the processor has of a purchase. */
const ownMetadata = z.object({
  purchase_id: uuid,
  account_id: uuid.optional(),
  block: z.coerce.number().pipe(creditBlock),
});

/** The purchase that a session is of. Throws `payment_account_unknown` for one that we have not opened. */
export const purchaseIdOf = ({ client_reference_id: reference }: Session): string => {
  const id = uuid.safeParse(reference);
  if (!id.success) throw serviceError('payment_account_unknown');
  return id.data;
};

const read = (session: Session) => {
  const metadata = ownMetadata.safeParse(session.metadata);
  const { customer_email: email, amount_total: amount, currency } = session;
  if (!metadata.success || amount === null || !currency) throw serviceError('payment_account_unknown');
  const { purchase_id: id, account_id: accountId = null, block } = metadata.data;
  if (id !== session.client_reference_id) throw serviceError('payment_session_mismatch');
  if (accountId === null && !email) throw serviceError('payment_account_unknown');
  const sold = { id, accountId, block, amount, currency };
  return accountId === null
    ? ({ ...sold, boughtBy: 'stranger', email: email ?? null } as const)
    : ({ ...sold, boughtBy: 'account', email: null } as const);
};

type NeededAdoptPurchase = Pick<Deps, 'db' | 'processor' | 'now'>;

const adopt = async ({ db, processor, now }: NeededAdoptPurchase, sessionId: string): Promise<void> => {
  const session = await processor.readSession(sessionId);
  // Of another product that uses the same account of the processor.
  if (session === null) throw serviceError('payment_account_unknown');
  const at = await now();
  const { customer: customerId = null } = session;
  const times = {
    createdAt: session.created === undefined ? at : new Date(session.created * MS),
    expiresAt: new Date(session.expires_at * MS),
    changedAt: at,
  };
  // Its page is of no use any more: whether it was paid, the event says that is being dealt with.
  const data = [{ ...read(session), ...times, customerId, sessionId: session.id, state: 'expired' }];
  await db.purchase.createMany({ data, skipDuplicates: true });
};

type Told = { readonly purchaseId: string; readonly session: Pick<Session, 'id'> };

/**
 * Knows the purchases of sessions again that an earlier state of this database has lost: by the processor's own word, which is asked
 * for each, and not by an event's.
 */
export const knowPurchases = async (deps: NeededAdoptPurchase, told: readonly Told[]): Promise<void> => {
  if (told.length === 0) return;
  const known = await knownIds(
    deps.db,
    told.map(({ purchaseId }) => purchaseId),
  );
  const lost = told.filter(({ purchaseId }) => !known.has(purchaseId));
  await Promise.all(lost.map(({ session }) => adopt(deps, session.id)));
};

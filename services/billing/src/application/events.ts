import { serviceError, uuid } from '@tds/contracts';
import { createBatcher, isDatabaseAway, retryThenSplit } from '@tds/service-kit';
import type { Deps, Work } from '../deps.ts';
import {
  disputeState,
  isOfSession,
  newsOf,
  paymentIntentOf,
  refundState,
  refuseOtherSession,
  type SessionNews,
} from '../domain/processor-events.ts';
import { saveDispute, saveRefund } from '../store/moved-money.ts';
import { insertEvents } from '../store/payment-events.ts';
import {
  findPurchase,
  lockPayments,
  lockPurchases,
  markExpired,
  markPaid,
  markProcessing,
  type StoredPurchase,
  saveReceipt,
  touchByPayment,
} from '../store/purchases.ts';
import * as wire from '../upstream/wire.ts';
import { ofPurchase, type PaymentEvent, type Session, session } from '../upstream/wire.ts';
import { knowPurchases, purchaseIdOf } from './reconciliation.ts';
import { enqueueGranting, enqueueSettling } from './settling.ts';

/** Resolves to the purchase that is to be settled. */
type Effect = (work: Pick<Work, 'tx' | 'now'>, object: unknown) => Promise<string | null>;

const read = <Schema extends (typeof wire)['refund' | 'dispute' | 'charge']>(
  schema: Schema,
  object: unknown,
) => {
  const parsed = schema.safeParse(object);
  if (!parsed.success) throw serviceError('payment_event_invalid', { cause: parsed.error });
  return parsed.data as ReturnType<Schema['parse']>;
};

/**
 * Money that has moved is a fact, whatever our record says: it is saved, counted up to the purchase, and noted if it does not fit. Told
 * before the payment, it is found when that comes.
 */
const refunded: Effect = async ({ tx, now }, object) => {
  const { id, payment_intent: paymentIntentId, amount, currency, status } = read(wire.refund, object);
  if (!paymentIntentId) return null;
  const purchase = await touchByPayment(tx, paymentIntentId, now);
  await saveRefund(tx, { id, paymentIntentId, amount, currency, status: refundState(status) });
  return purchase?.id ?? null;
};

const disputed: Effect = async ({ tx, now }, object) => {
  const { id, payment_intent: paymentIntentId, amount, currency, status: told } = read(wire.dispute, object);
  const status = disputeState(told);
  if (!paymentIntentId || status === null) return null;
  const purchase = await touchByPayment(tx, paymentIntentId, now);
  await saveDispute(tx, { id, paymentIntentId, amount, currency, status });
  return purchase?.id ?? null;
};

/** Its receipt is all that is looked at: that it was paid, its session says. */
const charged: Effect = async ({ tx }, object) => {
  const { metadata, receipt_url: receiptUrl } = read(wire.charge, object);
  const purchaseId = uuid.safeParse(metadata?.purchase_id);
  if (purchaseId.success && receiptUrl && (await findPurchase(tx, purchaseId.data)))
    await saveReceipt(tx, purchaseId.data, receiptUrl);
  return null;
};

const moneyEffects: ReadonlyMap<string, Effect> = new Map(
  Object.entries({
    'refund.created': refunded,
    'refund.updated': refunded,
    'refund.failed': refunded,
    'charge.refund.updated': refunded,
    'charge.dispute.created': disputed,
    'charge.dispute.updated': disputed,
    'charge.dispute.funds_withdrawn': disputed,
    'charge.dispute.funds_reinstated': disputed,
    'charge.dispute.closed': disputed,
    'charge.succeeded': charged,
  }),
);

const MS = 1_000;

type SessionTold = {
  readonly purchaseId: string;
  readonly session: Session;
  readonly created: number;
  readonly news: SessionNews;
};

/** What was paid is saved with all payments of the batch, and known to what comes with it. */
const pay = (work: Work, purchase: StoredPurchase, { session, created }: SessionTold): void => {
  const paymentIntentId = paymentIntentOf(purchase, session);
  const { state, id } = purchase;
  if (state === 'paid') return;
  const payment = { paymentIntentId, customerId: session.customer ?? null, sessionId: session.id };
  work.payments.push({ id, ...payment, paidAt: new Date(created * MS) });
  work.purchases.set(id, { ...purchase, ...payment, state: 'paid' });
};

/** Resolves to whether there is something to settle. Throws what our record says otherwise. */
const applySession = async (work: Work, told: SessionTold): Promise<boolean> => {
  const { purchaseId, session, news } = told;
  const purchase = work.purchases.get(purchaseId);
  // The processor knows this session as that of another purchase.
  if (!purchase) throw serviceError('payment_session_mismatch');
  refuseOtherSession(purchase, session);
  if (news === 'paid') pay(work, purchase, told);
  if (news === 'awaited') await markProcessing(work.tx, purchaseId, session.id, work.now);
  if (news === 'expired') await markExpired(work.tx, purchaseId, work.now);
  return news === 'paid';
};

type Needed = Pick<Deps, 'db' | 'messaging' | 'processor' | 'now'>;
type Told = { readonly event: PaymentEvent; readonly ofSession: SessionTold | null };

/** A second batch begins beside one that is under way if so many events wait; one in which the processor is asked is slow. */
const BATCHES = { maxBatch: 64, largeBatch: 16, slowAfterMs: 100, maxCalls: 4 };

/** Kinds that say nothing to us are kept, so that nobody sends them again. */
const readEvent = (event: PaymentEvent): Told => {
  if (!isOfSession(event.type)) return { event, ofSession: null };
  const read = session.safeParse(event.data.object);
  if (!read.success) throw serviceError('payment_event_invalid', { cause: read.error });
  const { data: told } = read;
  const ofSession = {
    ...{ purchaseId: purchaseIdOf(told), session: told, created: event.created },
    news: newsOf(event.type, told),
  };
  return { event, ofSession };
};

/** Resolves to the purchases that have changed. What sessions tell comes first: it names the payments that money moves of. */
const applyNews = async (work: Work, news: readonly Told[]): Promise<ReadonlySet<string>> => {
  const settled = new Set<string>();
  for (const { ofSession } of news)
    if (ofSession && (await applySession(work, ofSession))) settled.add(ofSession.purchaseId);
  await markPaid(work.tx, work.payments, work.now);
  for (const { event } of news) {
    const purchaseId = await moneyEffects.get(event.type)?.(work, event.data.object);
    if (purchaseId) settled.add(purchaseId);
  }
  return settled;
};

/** The purchases that events are of, as far as they name them. */
const namedBy = (told: readonly Told[]) => {
  const objects = told.flatMap(({ event }) => ofPurchase.safeParse(event.data.object).data ?? []);
  const written = objects.flatMap(({ metadata }) => uuid.safeParse(metadata?.purchase_id).data ?? []);
  const ofSessions = told.flatMap(({ ofSession }) => ofSession?.purchaseId ?? []);
  const paymentIntentIds = objects.flatMap(({ payment_intent: id }) => id ?? []);
  return { ids: [...ofSessions, ...written], paymentIntentIds };
};

/** Takes events with their effects: all are saved, or none. Resolves to which of them were news. */
const applyTogether = async (deps: Needed, told: readonly Told[]): Promise<boolean[]> => {
  await knowPurchases(
    deps,
    told.flatMap(({ ofSession }) => ofSession ?? []),
  );
  const now = await deps.now();
  const events = told.map(({ event }) => event);
  const named = namedBy(told);
  return deps.messaging.transaction(deps.db, async (tx, send) => {
    // All of them first, and in one order: of two batches only one waits for the other.
    await lockPayments(tx, named.paymentIntentIds);
    const purchases = await lockPurchases(tx, named);
    const unheard = await insertEvents(tx, events, now);
    const isNews = events.map(({ id }) => unheard.delete(id));
    const news = told.filter((_, index) => isNews[index]);
    const work: Work = { tx, now, purchases, payments: [] };
    const changed = await applyNews(work, news);
    const paid = new Set(work.payments.map(({ id }) => id));
    await enqueueGranting(send, [...paid]);
    for (const purchaseId of changed.difference(paid)) await enqueueSettling(send, purchaseId);
    return isNews;
  });
};

/**
 * Takes an event with its effect, once: both are saved, or neither. Events that come together share a transaction; one that does not fit
 * fails alone. Resolves to whether it was news. Throws what is wrong with it, and what asking the processor throws.
 */
export const createApplyEvent = (deps: Needed) => {
  const failures = { isTransient: isDatabaseAway, giveUp: (error: unknown) => error };
  const call = retryThenSplit((told: readonly Told[]) => applyTogether(deps, told), failures);
  const submit = createBatcher({ call, ...BATCHES });
  return async (event: PaymentEvent, signal: AbortSignal): Promise<boolean> =>
    submit(readEvent(event), signal);
};

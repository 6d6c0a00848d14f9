import { createBatcher, isDatabaseAway, retryThenSplit } from '@tds/base';
import { billing, SECOND_MS, uuid } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { z } from 'zod';
import type { Deps, Transaction } from '../deps.ts';
import {
  disputeState,
  isSessionEvent,
  readPaymentIntent,
  refundState,
  refuseOtherSession,
  type SessionOutcome,
  toOutcome,
} from '../domain/processor-events.ts';
import { markExpired } from '../store/checkouts.ts';
import { saveDispute, saveRefund } from '../store/money.ts';
import { insertEvents } from '../store/payment-events.ts';
import {
  findPurchase,
  lockPayments,
  lockPurchases,
  markPaid,
  markProcessing,
  saveReceipt,
  touchByPayment,
} from '../store/purchases.ts';
import { isRefillIntent } from '../upstream/processor-cards.ts';
import * as wire from '../upstream/wire.ts';
import { purchaseIdOf, recreatePurchases } from './reconciliation.ts';
import { applyIntent, emitRefilled, recreateRefills } from './refill-payments.ts';
import { endRefill } from './refills.ts';
import { enqueueGranting, enqueueSettling } from './settling.ts';

/** Saves an effect and resolves to the purchase that it changed and that must be settled, or null. */
type Effect = (
  transaction: Pick<Transaction, 'tx' | 'send' | 'now'>,
  object: unknown,
) => Promise<string | null>;

const parseObject = <Schema extends z.ZodType>(schema: Schema, object: unknown): z.output<Schema> => {
  const parsed = schema.safeParse(object);
  if (!parsed.success) throw serviceError('payment_event_invalid', { cause: parsed.error });
  return parsed.data;
};

/**
 * A refund is saved even if it contradicts our purchase: the money has moved. It may arrive before the payment event; it is linked when
 * that arrives.
 */
const applyRefund: Effect = async ({ tx, now }, object) => {
  const { id, payment_intent: paymentIntentId, amount, currency, status } = parseObject(wire.refund, object);
  if (!paymentIntentId) return null;
  const purchase = await touchByPayment(tx, paymentIntentId, now);
  await saveRefund(tx, { id, paymentIntentId, amount, currency, status: refundState(status) });
  return purchase?.id ?? null;
};

/** As with refunds. It ends refilling, by whatever card the account pays. */
const applyDispute: Effect = async (transaction, object) => {
  const { tx, now } = transaction;
  const { payment_intent: paymentIntentId, status: reported, ...dispute } = parseObject(wire.dispute, object);
  const status = disputeState(reported);
  if (!paymentIntentId || status === null) return null;
  const purchase = await touchByPayment(tx, paymentIntentId, now);
  await saveDispute(tx, { ...dispute, paymentIntentId, status });
  if (purchase?.accountId && purchase.boughtBy === 'account')
    await endRefill(transaction, purchase.accountId, 'dispute');
  return purchase?.id ?? null;
};

/** Saves the receipt. The event of the session reports the payment. */
const applyCharge: Effect = async ({ tx }, object) => {
  const { metadata, receipt_url: receiptUrl } = parseObject(wire.charge, object);
  const purchaseId = uuid.safeParse(metadata?.purchase_id);
  if (purchaseId.success && receiptUrl && (await findPurchase(tx, purchaseId.data)))
    await saveReceipt(tx, purchaseId.data, receiptUrl);
  return null;
};

const moneyEffects: ReadonlyMap<string, Effect> = new Map(
  Object.entries({
    'refund.created': applyRefund,
    'refund.updated': applyRefund,
    'refund.failed': applyRefund,
    'charge.refund.updated': applyRefund,
    'charge.dispute.created': applyDispute,
    'charge.dispute.updated': applyDispute,
    'charge.dispute.funds_withdrawn': applyDispute,
    'charge.dispute.funds_reinstated': applyDispute,
    'charge.dispute.closed': applyDispute,
    'charge.succeeded': applyCharge,
  }),
);

type SessionEvent = {
  readonly purchaseId: string;
  readonly session: wire.Session;
  /** In seconds. */
  readonly created: number;
  readonly outcome: SessionOutcome;
};
type ParsedEvent = {
  readonly event: wire.PaymentEvent;
  readonly sessionEvent: SessionEvent | null;
  /** The payment of a refill. */
  readonly intent: wire.PaymentIntent | null;
  /** The page where a card was set up. */
  readonly setupId: string | null;
};

/** Applies an event of a session. Resolves to whether the purchase must be settled. Throws if it contradicts our purchase. */
const applySession = async (
  { tx, now, purchases, payments }: Transaction,
  { purchaseId, session, created, outcome }: SessionEvent,
) => {
  const purchase = purchases.get(purchaseId);
  // The processor has this session for another purchase.
  if (!purchase) throw serviceError('payment_session_mismatch');
  refuseOtherSession(purchase, session);
  if (outcome === 'awaited') await markProcessing(tx, purchaseId, session.id, now);
  if (outcome === 'expired') await markExpired(tx, purchaseId, now);
  if (outcome !== 'paid') return false;
  const paymentIntentId = readPaymentIntent(purchase, session);
  if (purchase.state === 'paid') return true;
  const payment = { paymentIntentId, customerId: session.customer ?? null, sessionId: session.id };
  payments.push({ id: purchaseId, ...payment, paidAt: new Date(created * SECOND_MS) });
  // The next event of the batch sees the payment.
  purchases.set(purchaseId, { ...purchase, ...payment, state: 'paid' });
  return true;
};

const other = { sessionEvent: null, intent: null, setupId: null };

const readEvent = (event: wire.PaymentEvent): ParsedEvent => {
  const { type, created } = event;
  const { object } = event.data;
  if (type === 'payment_intent.succeeded') {
    const intent = parseObject(wire.paymentIntent, object);
    return { ...other, event, intent: isRefillIntent(intent) ? intent : null };
  }
  if (!isSessionEvent(type)) return { ...other, event };
  const session = parseObject(wire.session, object);
  if (session.mode === 'setup')
    return { ...other, event, setupId: type === 'checkout.session.completed' ? session.id : null };
  const purchaseId = purchaseIdOf(session);
  return { ...other, event, sessionEvent: { purchaseId, session, created, outcome: toOutcome(type, session) } };
};

/** Resolves to the purchases that changed. Sessions and payments of refills come first, because they link payments to purchases. */
const applyEvents = async (transaction: Transaction, events: readonly ParsedEvent[]) => {
  const changedIds = new Set<string>();
  for (const { sessionEvent } of events)
    if (sessionEvent && (await applySession(transaction, sessionEvent)))
      changedIds.add(sessionEvent.purchaseId);
  for (const { intent } of events) if (intent) changedIds.add(applyIntent(transaction, intent));
  await markPaid(transaction.tx, transaction.payments, transaction.now);
  for (const { event } of events) {
    const purchaseId = await moneyEffects.get(event.type)?.(transaction, event.data.object);
    if (purchaseId) changedIds.add(purchaseId);
  }
  return changedIds;
};

/** The purchases and payments that events name. */
const collectReferences = (events: readonly ParsedEvent[]) => {
  const objects = events.flatMap(({ event }) => wire.purchaseReference.safeParse(event.data.object).data ?? []);
  const inMetadata = objects.flatMap(({ metadata }) => uuid.safeParse(metadata?.purchase_id).data ?? []);
  const ofSessions = events.flatMap(({ sessionEvent }) => sessionEvent?.purchaseId ?? []);
  const ofRefills = events.flatMap(({ intent }) => intent?.id ?? []);
  const paymentIntentIds = [...objects.flatMap(({ payment_intent: id }) => id ?? []), ...ofRefills];
  return { ids: [...ofSessions, ...inMetadata], paymentIntentIds };
};

type EventDeps = Pick<Deps, 'db' | 'messaging' | 'processor' | 'now'>;

/** Saves events with their effects in one transaction. Resolves to whether each was new. */
const applyTogether = async (deps: EventDeps, events: readonly ParsedEvent[]) => {
  await recreatePurchases(
    deps,
    events.flatMap(({ sessionEvent }) => sessionEvent ?? []),
  );
  await recreateRefills(
    deps,
    events.flatMap(({ intent }) => intent ?? []),
  );
  const now = await deps.now();
  const references = collectReferences(events);
  return deps.messaging.transaction(deps.db, async (tx, send) => {
    // Locked in one order, so that two batches cannot block each other.
    await lockPayments(tx, references.paymentIntentIds);
    const purchases = await lockPurchases(tx, references);
    const inserted = await insertEvents(
      tx,
      events.map(({ event }) => event),
      now,
    );
    const isNew = events.map(({ event }) => inserted.delete(event.id));
    const transaction: Transaction = { tx, send, now, purchases, payments: [] };
    const newEvents = events.filter((_, index) => isNew[index]);
    const changedIds = await applyEvents(transaction, newEvents);
    const paidIds = new Set(transaction.payments.map(({ id }) => id));
    await emitRefilled(
      transaction,
      [...paidIds].flatMap((id) => purchases.get(id) ?? []),
    );
    for (const { setupId: sessionId } of newEvents)
      if (sessionId !== null) await send.enqueue(billing.saveCard, { sessionId }, { key: sessionId });
    await enqueueGranting(send, [...paidIds]);
    for (const purchaseId of changedIds.difference(paidIds)) await enqueueSettling(send, purchaseId);
    return isNew;
  });
};

/** A second batch starts beside the first one if that is slow because it asks the processor. */
const BATCHES = { maxBatch: 64, slowAfterMs: 100, maxCalls: 4 };

/**
 * Saves an event and its effect together, once. Stores unknown event types too, so the processor stops resending them. Events that arrive
 * together share a transaction; an invalid one fails alone. Resolves to whether the event was new. Throws `payment_*` if the event
 * contradicts our purchase, and the processor's errors.
 */
export const createPaymentEventHandler = (deps: EventDeps) => {
  const call = retryThenSplit((events: readonly ParsedEvent[]) => applyTogether(deps, events), {
    isTransient: isDatabaseAway,
  });
  const submit = createBatcher({ call, ...BATCHES });
  return async (event: wire.PaymentEvent, signal: AbortSignal): Promise<boolean> =>
    submit(readEvent(event), signal);
};

import { serviceError, uuid } from '@tds/contracts';
import { createBatcher, isDatabaseAway, retryThenSplit } from '@tds/service-kit';
import type { Deps, Work } from '../deps.ts';
import { isOfSession, newsOf } from '../domain/session-rules.ts';
import { insertEvents } from '../store/payment-events.ts';
import { lockPayments, lockPurchases, markPaid } from '../store/purchases.ts';
import { ofPurchase, type PaymentEvent, session } from '../upstream/wire.ts';
import { knowPurchases, purchaseIdOf } from './adopt-purchase.ts';
import { enqueueGranting, enqueueSettling } from './enqueue-settling.ts';
import { moneyEffects } from './money-events.ts';
import { applySession, type SessionTold } from './session-events.ts';

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

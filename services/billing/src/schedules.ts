import { each, purgeEach, walk, walkAll } from '@tds/base';
import { billing, creditsLedger, DAY_MS, MAX_REFILLS, MINUTE_MS, SECOND_MS } from '@tds/contracts';
import { ServiceError } from '@tds/errors';
import { onSchedule } from '@tds/kit';
import { findLostPurchases, reconcileWithLedger } from './application/reconciliation.ts';
import { enqueueCharging } from './application/refills.ts';
import { refundPurchase } from './application/settling.ts';
import type { Deps } from './deps.ts';
import { later } from './domain/checkout.ts';
import { findUnaccepted } from './store/admission.ts';
import { expireOld } from './store/checkouts.ts';
import { noteMismatch } from './store/money.ts';
import { purgeOldRows as purge } from './store/old-rows.ts';
import { findStoredEvents, readUpTo, saveUpTo } from './store/payment-events.ts';
import { findOpenPage, findRunningPage } from './store/refills.ts';
import type { PaymentEvent } from './upstream/wire.ts';

/** For how long the processor lists its events. */
const EVENT_RETENTION_MS = 30 * DAY_MS;
/** The processor may list an event after younger ones. */
const OVERLAP_MS = 10 * MINUTE_MS;

const applyEach = ({ applyEvent, db, log }: Deps, signal: AbortSignal) =>
  each<PaymentEvent>(async (event) => {
    try {
      await applyEvent(event, signal);
    } catch (error) {
      // An invalid event stays invalid. It is noted, and the others go on.
      if (!(error instanceof ServiceError) || error.errorClass !== 'InvalidInput') throw error;
      // An event of another product on the same account of the processor.
      if (error.code === 'payment_account_unknown') return;
      await noteMismatch(db, event.id, error.code);
      log.error('an event of the processor contradicts our purchase', {
        paymentEvent: event.id,
        code: error.code,
      });
    }
  });

/**
 * Applies the events in the processor's list that webhooks have lost. Reads on from the newest event that was listed, by the processor's
 * clock; a failed run is repeated from the same event.
 */
export const reconcileEvents = onSchedule(async (deps: Deps, context) => {
  const { db, processor, config, now } = deps;
  const since = later((await readUpTo(db)) ?? later(await now(), -EVENT_RETENTION_MS), -OVERLAP_MS);
  let newest: Date | null = null;
  const apply = applyEach(deps, context.signal);
  let isLast = false;
  const find = async (after: PaymentEvent | null): Promise<readonly PaymentEvent[]> => {
    if (isLast) return [];
    const { data, has_more: hasMore } = await processor.events(since, after?.id ?? null);
    isLast = !hasMore;
    newest ??= data[0] ? new Date(data[0].created * SECOND_MS) : null;
    return data;
  };
  const work = async (page: readonly PaymentEvent[]): Promise<void> => {
    const storedIds = await findStoredEvents(
      db,
      page.map(({ id }) => id),
    );
    const missing = page.filter(({ id, livemode }) => livemode === config.isLive && !storedIds.has(id));
    context.record.add({ lostByWebhooks: missing.length });
    await apply(missing);
  };
  await walk(find, work, context.signal);
  if (newest && !context.signal.aborted) await saveUpTo(db, newest);
});

/** Compares the last 8 days with the ledger in both directions. */
export const reconcilePurchases = onSchedule(async (deps: Deps, context) => {
  const youngerThanMs = 8 * DAY_MS;
  const since = later(await deps.now(), -youngerThanMs);
  await walkAll([
    reconcileWithLedger(deps, { since, olderThanMs: MINUTE_MS }, context),
    findLostPurchases(deps, { olderThanMs: MINUTE_MS, youngerThanMs }, context),
  ]);
});

/** Compares all purchases with the ledger, which may have been restored to any time. */
export const reconcileAllPurchases = onSchedule(async (deps: Deps, context) =>
  reconcileWithLedger(deps, { since: new Date(0), olderThanMs: MINUTE_MS }, context),
);

export const expireCheckouts = onSchedule(async ({ db, now }: Deps, { record }) => {
  record.add({ expired: await expireOld(db, await now()) });
});

/** Refunds purchases of strangers that were not accepted within 90 days. */
export const returnUnaccepted = onSchedule(async (deps: Deps, { record, signal }) => {
  const now = await deps.now();
  const returned = async (limit: number): Promise<number> => {
    const ids = await findUnaccepted(deps.db, now, limit);
    for (const id of ids) await refundPurchase(deps, id, 'It was not accepted.');
    return ids.length;
  };
  record.add({ returned: await purgeEach({ returned }, { signal }) });
});

export const purgeOldRows = onSchedule(async ({ db, now }: Deps, { record, signal }) => {
  record.add({ purged: await purge(db, await now(), { signal }) });
});

/**
 * Looks at each account that is refilled, because a message of the ledger may be lost and an account may stay below its threshold, and at
 * each refill under way.
 */
export const refillLowAccounts = onSchedule(async (deps: Deps, context) => {
  const { signal, record } = context;
  const { db, call, messaging } = deps;
  let low = 0;
  const findRefills = (after: { accountId: string } | null) =>
    findRunningPage(db, after?.accountId ?? null, MAX_REFILLS);
  const refill = async (page: readonly { accountId: string; version: number }[]) => {
    const accountIds = page.map(({ accountId }) => accountId);
    const { rows } = await call(creditsLedger.lookUpRefills, { accountIds }, context);
    const known = new Map(rows.map((row) => [row.accountId, row]));
    const due = page.filter(({ accountId, version }) => {
      const row = known.get(accountId);
      return row === undefined || row.isLow || row.version !== version;
    });
    low += due.length;
    await messaging.transaction(db, async (_tx, send) => {
      for (const { accountId } of due)
        await send.enqueue(billing.refillAccount, { accountId }, { key: accountId });
    });
  };
  const findOpen = (after: { id: string } | null) => findOpenPage(db, after?.id ?? null, MAX_REFILLS);
  const charge = (page: readonly { id: string }[]) =>
    messaging.transaction(db, async (_tx, send) => {
      for (const { id } of page) await enqueueCharging(send, id);
    });
  await walkAll([walk(findRefills, refill, signal), walk(findOpen, charge, signal)]);
  record.add({ low });
});

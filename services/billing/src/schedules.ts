import { ServiceError } from '@tds/contracts';
import { each, onSchedule, purgeEach, walk, walkAll } from '@tds/service-kit';
import { lookForLostPurchases, reconcileWithLedger } from './application/reconciliation.ts';
import { giveBack } from './application/settling.ts';
import type { Deps } from './deps.ts';
import { later } from './domain/checkout.ts';
import { deleteWindows } from './store/checkout-windows.ts';
import { findUnaccepted } from './store/limited-purchases.ts';
import { noteMisfit } from './store/moved-money.ts';
import { deleteEvents, knownEvents, readUpTo, saveUpTo } from './store/payment-events.ts';
import { deleteUnpaid, expireOld } from './store/purchases.ts';
import type { PaymentEvent } from './upstream/wire.ts';

const MS = 1_000;
/** As long as the processor keeps its events. */
const DAYS_30_MS = 2_592_000_000;
/** Events may be listed later than younger ones. */
const OVERLAP_MS = 600_000;

/** What is wrong with an event stays wrong, and it hides no other one. */
const isWrong = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.errorClass === 'InvalidInput';

/** Of another product that uses the same account of the processor: nothing to look at. */
const isForeign = ({ code }: ServiceError): boolean => code === 'payment_account_unknown';

const createApply = ({ applyEvent, db, log }: Deps, signal: AbortSignal) =>
  each<PaymentEvent>(async (event) => {
    try {
      await applyEvent(event, signal);
    } catch (error) {
      if (!isWrong(error)) throw error;
      if (isForeign(error)) return;
      await noteMisfit(db, event.id, error.code);
      log.error('an event of the processor does not fit', { paymentEvent: event.id, code: error.code });
    }
  });

/**
 * Reads the processor's own list of events and takes what webhooks have lost; if it fails it begins there again. How far it has come is
 * the time of the newest event that was listed, so that no clock of ours is asked.
 */
export const reconcileEvents = onSchedule(async (deps: Deps, context) => {
  const { db, processor, config, now } = deps;
  const since = later((await readUpTo(db)) ?? later(await now(), -DAYS_30_MS), -OVERLAP_MS);
  let newest: Date | null = null;
  const apply = createApply(deps, context.signal);
  let isLast = false;
  const find = async (after: PaymentEvent | null): Promise<readonly PaymentEvent[]> => {
    if (isLast) return [];
    const { data, has_more: hasMore } = await processor.events(since, after?.id ?? null);
    isLast = !hasMore;
    newest ??= data[0] ? new Date(data[0].created * MS) : null;
    return data;
  };
  const work = async (page: readonly PaymentEvent[]): Promise<void> => {
    const known = await knownEvents(
      db,
      page.map(({ id }) => id),
    );
    const missing = page.filter(({ id, livemode }) => livemode === config.isLive && !known.has(id));
    context.record.add({ lostByWebhooks: missing.length });
    await apply(missing);
  };
  await walk(find, work, context.signal);
  if (newest && !context.signal.aborted) await saveUpTo(db, newest);
});

const DAYS_8_MS = 691_200_000;
const MINUTE_MS = 60_000;

/** Both ways: what changed here in the last days is looked for in the ledger, and what it has granted is looked for here. */
export const reconcilePurchases = onSchedule(async (deps: Deps, context) => {
  const since = later(await deps.now(), -DAYS_8_MS);
  await walkAll([
    reconcileWithLedger(deps, { since, olderThanMs: MINUTE_MS }, context),
    lookForLostPurchases(deps, { olderThanMs: MINUTE_MS, youngerThanMs: DAYS_8_MS }, context),
  ]);
});

/** Of all times: a ledger may be put back to any of them. */
export const reconcileAllPurchases = onSchedule(async (deps: Deps, context) =>
  reconcileWithLedger(deps, { since: new Date(0), olderThanMs: MINUTE_MS }, context),
);

/** Pages that nobody has paid in time, so that their accounts may open others. */
export const expireCheckouts = onSchedule(async ({ db, now }: Pick<Deps, 'db' | 'now'>, { record }) => {
  record.add({ expired: await expireOld(db, await now()) });
});

/** Gives the money of purchases back that nobody has accepted in time. */
export const returnUnaccepted = onSchedule(
  async (deps: Pick<Deps, 'db' | 'messaging' | 'now'>, { record, signal }) => {
    const now = await deps.now();
    const returned = async (limit: number): Promise<number> => {
      const ids = await findUnaccepted(deps.db, now, limit);
      for (const id of ids) await giveBack(deps, id, 'Nobody has accepted it.');
      return ids.length;
    };
    record.add({ returned: await purgeEach({ returned }, { signal }) });
  },
);

/** Twice as long as the processor tells of anything. */
const DAYS_60_MS = 5_184_000_000;

export const purgeOldRows = onSchedule(async ({ db, now }: Pick<Deps, 'db' | 'now'>, { record, signal }) => {
  const at = await now();
  const before = later(at, -DAYS_60_MS);
  const events = (limit: number) => deleteEvents(db, before, limit);
  const unpaid = (limit: number) => deleteUnpaid(db, before, limit);
  const windows = (limit: number) => deleteWindows(db, at, limit);
  record.add({ purged: await purgeEach({ events, unpaid, windows }, { signal }) });
});

import { ServiceError } from '@tds/contracts';
import { each, onSchedule, walk } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { later } from '../domain/checkout-rules.ts';
import { noteMisfit } from '../store/moved-money.ts';
import { knownEvents, readUpTo, saveUpTo } from '../store/payment-events.ts';
import type { PaymentEvent } from '../upstream/wire.ts';

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

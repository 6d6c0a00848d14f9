import { ServiceError } from '@tds/contracts';
import { each, onSchedule, walk } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { later } from '../domain/checkout-rules.ts';
import { knownEvents, readUpTo, saveUpTo } from '../store/payment-events.ts';
import type { PaymentEvent } from '../upstream/wire.ts';

/** As long as the processor keeps its events. */
const DAYS_30_MS = 2_592_000_000;
/** What was under way, and what clocks differ. */
const OVERLAP_MS = 600_000;

/** What is wrong with an event stays wrong; it hides no other one, and is told each time. */
const isWrong = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.errorClass === 'InvalidInput';

const createApply = ({ applyEvent, log }: Deps, signal: AbortSignal) =>
  each<PaymentEvent>(async (event) => {
    try {
      await applyEvent(event, signal);
    } catch (error) {
      if (!isWrong(error)) throw error;
      log.error('an event of the processor does not fit', { paymentEvent: event.id, code: error.code });
    }
  });

/** Reads the processor's own list of events and takes what webhooks have lost; where it fails it begins there again. */
export const reconcileEvents = onSchedule(async (deps: Deps, context) => {
  const { db, processor, config, now } = deps;
  const begun = now();
  const since = later((await readUpTo(db)) ?? later(begun, -DAYS_30_MS), -OVERLAP_MS);
  const apply = createApply(deps, context.signal);
  let isLast = false;
  const find = async (after: PaymentEvent | null): Promise<readonly PaymentEvent[]> => {
    if (isLast) return [];
    const { data, has_more: hasMore } = await processor.events(since, after?.id ?? null);
    isLast = !hasMore;
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
  if (!context.signal.aborted) await saveUpTo(db, begun);
});

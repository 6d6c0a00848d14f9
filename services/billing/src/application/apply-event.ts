import { serviceError } from '@tds/contracts';
import type { Deps, Work } from '../deps.ts';
import { insertEvent } from '../store/payment-events.ts';
import { type PaymentEvent, session } from '../upstream/wire.ts';
import { knowPurchase } from './adopt-purchase.ts';
import { enqueueSettling } from './enqueue-settling.ts';
import { moneyEffects } from './money-events.ts';
import { sessionEffects } from './session-events.ts';

type Needed = Pick<Deps, 'db' | 'messaging' | 'processor' | 'now'>;
type Effect = (work: Work) => Promise<string | null>;

const readSession = (object: unknown) => {
  const parsed = session.safeParse(object);
  if (!parsed.success) throw serviceError('payment_event_invalid', { cause: parsed.error });
  return parsed.data;
};

/** What the event does, resolving to the purchase that is to be settled; whatever has to be asked for is asked for here. */
const effectOf = async (deps: Needed, { type, created, data: { object } }: PaymentEvent): Promise<Effect> => {
  const ofMoney = moneyEffects[type];
  if (ofMoney) return (work) => ofMoney(work, object);
  const ofSession = sessionEffects[type];
  // Kinds that say nothing to us are kept, so that nobody sends them again.
  if (!ofSession) return async () => null;
  const told = readSession(object);
  const purchaseId = await knowPurchase(deps, told);
  return async (work) =>
    (await ofSession(work, { purchaseId, session: told, created })) ? purchaseId : null;
};

/**
 * Takes an event with its effect, once: both are saved, or neither. Resolves to whether it was news. Throws what is wrong with it, and
 * what asking the processor throws.
 */
export const applyEvent = async (deps: Needed, event: PaymentEvent): Promise<boolean> => {
  const effect = await effectOf(deps, event);
  const now = deps.now();
  return deps.messaging.transaction(deps.db, async (tx, send) => {
    if (!(await insertEvent(tx, event, now))) return false;
    const purchaseId = await effect({ tx, now });
    if (purchaseId !== null) await enqueueSettling(send, purchaseId);
    return true;
  });
};

import { billing } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { applyEvent } from '../application/apply-event.ts';
import type { Deps } from '../deps.ts';
import { verifyEvent } from '../upstream/verify-event.ts';

type Needed = Pick<Deps, 'config' | 'db' | 'messaging' | 'processor' | 'now'>;

export const receivePaymentEvent = onCommand(
  billing.receivePaymentEvent,
  async (deps: Needed, request, { record }) => {
    const event = verifyEvent(deps.config, request, deps.now());
    record.add({ paymentEvent: event.id, type: event.type });
    const isNews = await applyEvent(deps, event);
    record.add({ isNews });
    return { isNews };
  },
);

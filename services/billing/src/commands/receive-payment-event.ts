import { billing } from '@tds/contracts';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { verifyEvent } from '../upstream/verify-event.ts';

export const receivePaymentEvent = onCommand(
  billing.receivePaymentEvent,
  async ({ config, applyEvent, now }: Deps, request, { record, signal }) => {
    const event = await verifyEvent(config, request, now);
    record.add({ paymentEvent: event.id, type: event.type });
    const isNew = await applyEvent(event, signal);
    record.add({ isNew });
    return { isNew };
  },
);

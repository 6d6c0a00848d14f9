import { randomUUID } from 'node:crypto';
import { serviceError, webhookDispatcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { promiseEvent } from '../application/promise-event.ts';
import type { Deps } from '../deps.ts';
import { findDelivery, toDelivery } from '../store/delivery-views.ts';

export const sendTestEvent = onCommand(
  webhookDispatcher.sendTestEvent,
  async ({ db, messaging, sender, now }: Deps, { accountId }) => {
    const delivery = await messaging.transaction(db, async (tx, send) => {
      const event = { id: randomUUID(), kind: 'webhook.test', data: {}, accountId } as const;
      const id = await promiseEvent({ tx, send, now: now() }, event);
      return id && findDelivery(tx, accountId, id);
    });
    if (!delivery) throw serviceError('webhook_not_configured');
    sender.wake();
    return { delivery: toDelivery(delivery) };
  },
);

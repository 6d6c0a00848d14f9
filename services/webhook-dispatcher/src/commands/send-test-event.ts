import { newId, webhookDispatcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { lockForAsking } from '../application/lock-for-asking.ts';
import { promiseEvent } from '../application/promise-event.ts';
import type { Deps } from '../deps.ts';
import { foundDelivery, toDelivery } from '../store/delivery-views.ts';

export const sendTestEvent = onCommand(
  webhookDispatcher.sendTestEvent,
  async ({ db, messaging, sender, now }: Deps, { accountId }) => {
    const delivery = await messaging.transaction(db, async (tx, send) => {
      await lockForAsking(tx, accountId, now());
      const event = { id: newId(now()), kind: 'webhook.test', data: {}, accountId } as const;
      await promiseEvent({ tx, send }, event);
      return foundDelivery(tx, accountId, event.id);
    });
    sender.wake();
    return { delivery: toDelivery(delivery) };
  },
);

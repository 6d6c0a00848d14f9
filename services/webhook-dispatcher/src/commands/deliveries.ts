import { randomUUID } from 'node:crypto';
import { newId, webhookDispatcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import {
  countRequest,
  deliverToWebhook,
  lockEnabledReceiver,
  lockForRequest,
} from '../application/create-delivery.ts';
import { repeatToReceiver, repeatToWebhook } from '../application/repeat-delivery.ts';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import {
  attemptsOf,
  countDeliveries,
  findDeliveries,
  findDelivery,
  getDelivery as getStoredDelivery,
  insertDelivery,
  replaceDelivery,
  type StoredDelivery,
  toDelivery,
} from '../store/deliveries.ts';
import { changeVersion } from '../store/queues.ts';

export const listDeliveries = onCommand(webhookDispatcher.listDeliveries, async ({ db }: Deps, request) => {
  const [rows, total] = await Promise.all([findDeliveries(db, request), countDeliveries(db, request)]);
  return { deliveries: rows.map(toDelivery), total };
});

export const getDelivery = onCommand(
  webhookDispatcher.getDelivery,
  async ({ db }: Deps, { accountId, deliveryId }) => {
    const stored = await findDelivery(db, accountId, deliveryId);
    if (stored === null) throw serviceError('delivery_not_found');
    return { delivery: toDelivery(stored), attempts: attemptsOf(stored), body: stored.body };
  },
);

export const sendTestEvent = onCommand(
  webhookDispatcher.sendTestEvent,
  async ({ db, messaging, sender, publicUrl, now }: Deps, { accountId }) => {
    const delivery = await messaging.transaction(db, async (tx, send) => {
      const webhook = await lockForRequest(tx, accountId, now());
      const id = newId(now());
      const event = { id, kind: 'webhook.test', data: {}, accountId } as const;
      await deliverToWebhook({ tx, send, publicUrl }, event, webhook);
      return getStoredDelivery(tx, accountId, id);
    });
    sender.wake();
    return { delivery: toDelivery(delivery) };
  },
);

/** The repeat of a delivery to its webhook or receiver, which must be enabled. Counts the request. */
const buildRepeat = async (tx: Db, { accountId, id, receiverId }: StoredDelivery, now: Date) => {
  const repeatId = randomUUID();
  if (receiverId === null) {
    const webhook = await lockForRequest(tx, accountId, now);
    // Read again under the lock.
    return repeatToWebhook(await getStoredDelivery(tx, accountId, id), webhook, repeatId);
  }
  const receiver = await lockEnabledReceiver(tx, accountId, receiverId);
  await countRequest(tx, accountId, now);
  return repeatToReceiver(await getStoredDelivery(tx, accountId, id), receiver, repeatId);
};

export const resendDelivery = onCommand(
  webhookDispatcher.resendDelivery,
  async ({ db, messaging, sender, now }: Deps, { accountId, deliveryId }) => {
    const delivery = await messaging.transaction(db, async (tx, send) => {
      const old = await findDelivery(tx, accountId, deliveryId);
      if (old === null) throw serviceError('delivery_not_found');
      const repeat = await buildRepeat(tx, old, now());
      await replaceDelivery(tx, old.id, repeat.id);
      await insertDelivery(tx, repeat);
      if (old.jobId !== null && old.receiverId === null)
        await send.emit(webhookDispatcher.jobDeliveryChanged, {
          accountId,
          jobId: old.jobId,
          status: 'pending',
          version: await changeVersion(tx),
        });
      return getStoredDelivery(tx, accountId, repeat.id);
    });
    sender.wake();
    return { delivery: toDelivery(delivery) };
  },
);

import { randomUUID } from 'node:crypto';
import { pick } from '@tds/base';
import { newId, webhookDispatcher } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import { createDelivery, lockForRequest } from '../application/create-delivery.ts';
import type { Deps } from '../deps.ts';
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
import type { WebhookTarget } from '../store/webhooks.ts';

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
  async ({ db, messaging, sender, now }: Deps, { accountId }) => {
    const delivery = await messaging.transaction(db, async (tx, send) => {
      await lockForRequest(tx, accountId, now());
      const id = newId(now());
      await createDelivery({ tx, send }, { id, kind: 'webhook.test', data: {}, accountId });
      return getStoredDelivery(tx, accountId, id);
    });
    sender.wake();
    return { delivery: toDelivery(delivery) };
  },
);

/** A delivery with the same body, to the URL and with the secret that such an event has now. A URL may have ended with its key. */
const toRepeat = (old: StoredDelivery, webhook: WebhookTarget) => ({
  id: randomUUID(),
  ...pick(old, 'accountId', 'eventId', 'kind', 'body', 'jobId', 'monitorId'),
  ...(old.isOverride && attemptsOf(old).at(-1)?.error !== 'key_revoked'
    ? { url: old.url, isOverride: true, keyId: old.keyId }
    : { url: webhook.url, isOverride: false, keyId: null }),
  secretId: webhook.secretId,
  jobVersion: old.jobVersion === null ? null : Number(old.jobVersion),
  resentFrom: old.id,
});

export const resendDelivery = onCommand(
  webhookDispatcher.resendDelivery,
  async ({ db, messaging, sender, now }: Deps, { accountId, deliveryId }) => {
    const delivery = await messaging.transaction(db, async (tx, send) => {
      if ((await findDelivery(tx, accountId, deliveryId)) === null) throw serviceError('delivery_not_found');
      const webhook = await lockForRequest(tx, accountId, now());
      // Read again under the lock.
      const old = await getStoredDelivery(tx, accountId, deliveryId);
      const repeat = toRepeat(old, webhook);
      await replaceDelivery(tx, old.id, repeat.id);
      await insertDelivery(tx, repeat);
      if (old.jobId !== null)
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

import { randomUUID } from 'node:crypto';
import { serviceError, webhookDispatcher } from '@tds/contracts';
import { onCommand, type Sender } from '@tds/service-kit';
import { lockForAsking } from '../application/lock-for-asking.ts';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import { findDelivery, foundDelivery, type StoredDelivery, toDelivery } from '../store/delivery-views.ts';
import { insertDelivery, replaceDelivery } from '../store/new-delivery.ts';
import { changeVersion } from '../store/queues.ts';
import type { Target } from '../store/webhooks.ts';
import type { Surface } from '../surface.ts';

/** The same bytes, on their way to where such an event would go today. */
const repeatOf = (old: StoredDelivery, webhook: Target) => ({
  id: randomUUID(),
  accountId: old.accountId,
  eventId: old.eventId,
  kind: toDelivery(old).event,
  body: old.body,
  url: old.isOverride ? old.url : webhook.url,
  secretId: webhook.secretId,
  isOverride: old.isOverride,
  jobId: old.jobId,
  jobVersion: old.jobVersion === null ? null : Number(old.jobVersion),
  monitorId: old.monitorId,
  resentFrom: old.id,
});

const tellJob = async (tx: Db, send: Sender<Surface>, { accountId, jobId }: StoredDelivery) => {
  if (jobId === null) return;
  const version = await changeVersion(tx);
  await send.emit(webhookDispatcher.jobDeliveryChanged, { accountId, jobId, status: 'pending', version });
};

export const resendDelivery = onCommand(
  webhookDispatcher.resendDelivery,
  async ({ db, messaging, sender, now }: Deps, { accountId, deliveryId }) => {
    const delivery = await messaging.transaction(db, async (tx, send) => {
      if ((await findDelivery(tx, accountId, deliveryId)) === null) throw serviceError('delivery_not_found');
      const webhook = await lockForAsking(tx, accountId, now());
      const old = await foundDelivery(tx, accountId, deliveryId);
      const repeat = repeatOf(old, webhook);
      await replaceDelivery(tx, old.id, repeat.id);
      await insertDelivery(tx, repeat);
      await tellJob(tx, send, old);
      return foundDelivery(tx, accountId, repeat.id);
    });
    sender.wake();
    return { delivery: toDelivery(delivery) };
  },
);

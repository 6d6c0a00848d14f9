import { randomUUID } from 'node:crypto';
import { serviceError, webhookDispatcher } from '@tds/contracts';
import { onCommand, type Sender } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import { findDelivery, type StoredDelivery, toDelivery } from '../store/delivery-views.ts';
import { insertDelivery } from '../store/new-delivery.ts';
import { changeVersion } from '../store/queues.ts';
import { lockEnabledWebhook, type Target } from '../store/webhooks.ts';
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
  async ({ db, messaging, sender }: Deps, { accountId, deliveryId }) => {
    const delivery = await messaging.transaction(db, async (tx, send) => {
      const webhook = await lockEnabledWebhook(tx, accountId);
      const old = await findDelivery(tx, accountId, deliveryId);
      if (old === null) throw serviceError('delivery_not_found');
      if (old.endedAt === null) throw serviceError('delivery_pending');
      if (webhook === null) throw serviceError('webhook_not_configured');
      const repeat = repeatOf(old, webhook);
      await insertDelivery(tx, repeat);
      await tellJob(tx, send, old);
      return findDelivery(tx, accountId, repeat.id);
    });
    if (delivery === null) throw serviceError('delivery_not_found');
    sender.wake();
    return { delivery: toDelivery(delivery) };
  },
);

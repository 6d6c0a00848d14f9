import { randomUUID } from 'node:crypto';
import { newId, serviceError, webhookDispatcher } from '@tds/contracts';
import { onCommand, type Sender } from '@tds/service-kit';
import { lockForAsking, promiseEvent } from '../application/create-delivery.ts';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import {
  attemptsOf,
  countDeliveries,
  findDeliveries,
  findDelivery,
  foundDelivery,
  insertDelivery,
  replaceDelivery,
  type StoredDelivery,
  toDelivery,
} from '../store/deliveries.ts';
import { changeVersion } from '../store/queues.ts';
import type { Target } from '../store/webhooks.ts';
import type { Surface } from '../surface.ts';

export const listDeliveries = onCommand(
  webhookDispatcher.listDeliveries,
  async ({ db }: Pick<Deps, 'db'>, wanted) => {
    const [found, total] = await Promise.all([findDeliveries(db, wanted), countDeliveries(db, wanted)]);
    return { deliveries: found.map(toDelivery), total };
  },
);

export const getDelivery = onCommand(
  webhookDispatcher.getDelivery,
  async ({ db }: Pick<Deps, 'db'>, { accountId, deliveryId }) => {
    const found = await findDelivery(db, accountId, deliveryId);
    if (found === null) throw serviceError('delivery_not_found');
    return { delivery: toDelivery(found), attempts: attemptsOf(found), body: found.body };
  },
);

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

import { webhookDispatcher } from '@tds/contracts';
import type { Sender } from '@tds/service-kit';
import { eventBody, type WebhookEvent } from '../domain/event-body.ts';
import type { Db } from '../store/database.ts';
import { insertDelivery } from '../store/new-delivery.ts';
import { changeVersion } from '../store/queues.ts';
import { lockEnabledWebhook } from '../store/webhooks.ts';
import type { Surface } from '../surface.ts';

/** What an event is about, and where it goes if not to the webhook of the account. */
export type Promised = WebhookEvent & {
  readonly accountId: string;
  readonly overrideUrl?: string | null;
  readonly job?: { readonly id: string; readonly version: number };
  readonly monitorId?: string | null;
};

type Parts = {
  readonly tx: Db;
  readonly send: Sender<Surface>;
  readonly now: Date;
};

/**
 * Makes the delivery of an event in the transaction that has heard of it. Its id is that of the event, so that an event which is
 * heard again after a restore is the same delivery to its receiver. Null where the account has no webhook that is enabled.
 */
export const promiseEvent = async ({ tx, send, now }: Parts, event: Promised): Promise<string | null> => {
  const { id, kind, accountId, overrideUrl = null, job, monitorId = null } = event;
  const webhook = await lockEnabledWebhook(tx, accountId);
  if (webhook === null) return null;
  const isNew = await insertDelivery(tx, {
    id,
    accountId,
    eventId: id,
    kind,
    body: eventBody(event, now),
    url: overrideUrl ?? webhook.url,
    secretId: webhook.secretId,
    isOverride: overrideUrl !== null,
    jobId: job?.id ?? null,
    jobVersion: job?.version ?? null,
    monitorId,
    resentFrom: null,
  });
  if (isNew && job)
    await send.emit(webhookDispatcher.jobDeliveryChanged, {
      accountId,
      jobId: job.id,
      status: 'pending',
      version: await changeVersion(tx),
    });
  return id;
};

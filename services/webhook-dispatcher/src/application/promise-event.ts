import { webhookDispatcher } from '@tds/contracts';
import type { Sender } from '@tds/service-kit';
import { eventBody, type WebhookEvent } from '../domain/event-body.ts';
import type { Db } from '../store/database.ts';
import { insertDelivery } from '../store/new-delivery.ts';
import { changeVersion } from '../store/queues.ts';
import { lockWebhook } from '../store/webhooks.ts';
import type { Surface } from '../surface.ts';

/** What an event is about, and where it goes if not to the webhook of the account. */
export type Promised = WebhookEvent & {
  readonly accountId: string;
  readonly overrideUrl?: string | null;
  readonly job?: { readonly id: string; readonly version: number };
  readonly monitorId?: string | null;
  /** Without an enabled webhook nothing is kept of it: its sender asks again. */
  readonly isAskedAgain?: boolean;
};

type Parts = { readonly tx: Db; readonly send: Sender<Surface> };

/**
 * Makes the delivery of an event in the transaction that has heard of it. Its id is that of the event, so that an event which is
 * heard again after a restore is the same delivery to its receiver. While the webhook is disabled it is kept as one that has failed. Null where
 * nothing is kept: the account has no webhook.
 */
export const promiseEvent = async ({ tx, send }: Parts, event: Promised): Promise<string | null> => {
  const { id, kind, accountId, overrideUrl = null, job, monitorId = null, isAskedAgain = false } = event;
  const webhook = await lockWebhook(tx, accountId);
  if (webhook === null || (isAskedAgain && !webhook.enabled)) return null;
  const isNew = await insertDelivery(tx, {
    id,
    accountId,
    eventId: id,
    kind,
    body: eventBody(event),
    url: overrideUrl ?? webhook.url,
    secretId: webhook.enabled ? webhook.secretId : null,
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
      status: webhook.enabled ? 'pending' : 'failed',
      version: await changeVersion(tx),
    });
  return id;
};

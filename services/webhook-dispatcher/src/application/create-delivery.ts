import { pick } from '@tds/base';
import {
  type bulkOrchestrator,
  type PayloadOf,
  secondsToNextUtcDay,
  type WebhookKind,
  webhookDispatcher,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { runOnce } from '@tds/kit';
import type { ListenerContext, Sender } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { eventBody, type WebhookEvent } from '../domain/webhook-message.ts';
import type { Db } from '../store/database.ts';
import { insertDelivery } from '../store/deliveries.ts';
import { changeVersion, countRequestedDelivery } from '../store/queues.ts';
import { lockWebhook, requireKnownWebhooks, type WebhookTarget } from '../store/webhooks.ts';
import type { Surface } from '../surface.ts';

type Transaction = { readonly tx: Db; readonly send: Sender<Surface> };

/**
 * Creates the delivery of an event in the transaction that records the event as handled. Both have the same id, so an event that
 * is handled again after a restore is the same delivery to its receiver. If the webhook is disabled, the delivery is stored as failed;
 * with `onlyIfEnabled` it is not stored. Returns whether it is stored. Throws `RetryLater` while a restore may lack the webhook.
 */
export const createDelivery = async (
  { tx, send }: Transaction,
  event: WebhookEvent,
  { onlyIfEnabled = false }: { readonly onlyIfEnabled?: boolean } = {},
): Promise<boolean> => {
  const { id, kind, accountId, overrideUrl = null, overrideKeyId = null, job, monitorId = null } = event;
  const webhook = await lockWebhook(tx, accountId);
  if (webhook === null) await requireKnownWebhooks(tx);
  if (webhook === null || (onlyIfEnabled && !webhook.enabled)) return false;
  const isNew = await insertDelivery(tx, {
    id,
    accountId,
    eventId: id,
    kind,
    body: eventBody(event),
    url: overrideUrl ?? webhook.url,
    secretId: webhook.enabled ? webhook.secretId : null,
    isOverride: overrideUrl !== null,
    keyId: overrideUrl && overrideKeyId,
    jobId: job?.id ?? null,
    jobVersion: job?.version ?? null,
    monitorId,
    resentFrom: null,
  });
  if (isNew && job) {
    const status = webhook.enabled ? 'pending' : 'failed';
    const version = await changeVersion(tx);
    await send.emit(webhookDispatcher.jobDeliveryChanged, { accountId, jobId: job.id, status, version });
  }
  return true;
};

type JobKind = Extract<WebhookKind, `job.${string}`>;
type JobEvent = PayloadOf<typeof bulkOrchestrator.jobCompleted>;

const toWebhookEvent = (kind: JobKind, job: JobEvent, id: string): WebhookEvent => ({
  id,
  kind,
  accountId: job.accountId,
  overrideUrl: job.webhookUrl,
  overrideKeyId: job.webhookKeyId,
  monitorId: job.monitorId,
  job: { id: job.jobId, version: job.version },
  data: {
    job_id: job.jobId,
    monitor_id: job.monitorId,
    ...pick(job, 'version', 'status'),
    pause_reason: job.pauseReason,
    resumes_at: job.resumesAt,
    ...pick(job, 'name', 'metadata', 'counts', 'credits'),
    omitted: job.omitted ?? 0,
  },
});

/** Does what an event asks for, in the transaction that records the event as handled, and wakes the sender. */
export const deliverOnce = async (
  deps: Deps,
  context: ListenerContext,
  deliver: (transaction: Transaction) => Promise<unknown>,
) => {
  await runOnce(deps, context, (tx, send) => deliver({ tx, send }));
  deps.sender.wake();
};

/** Handles an event of a job: creates its delivery. */
export const createJobDelivery =
  (kind: JobKind) =>
  (deps: Deps, job: JobEvent, context: ListenerContext): Promise<void> =>
    deliverOnce(deps, context, (transaction) =>
      createDelivery(transaction, toWebhookEvent(kind, job, context.messageId)),
    );

/**
 * Locks the enabled webhook and the queue of an account that requests a delivery, and counts the request. Throws
 * `webhook_not_configured` and `webhook_test_cap`.
 */
export const lockForRequest = async (tx: Db, accountId: string, now: Date): Promise<WebhookTarget> => {
  const webhook = await lockWebhook(tx, accountId);
  if (!webhook?.enabled) throw serviceError('webhook_not_configured');
  if (!(await countRequestedDelivery(tx, accountId)))
    throw serviceError('webhook_test_cap', { retryAfterSeconds: secondsToNextUtcDay(now) });
  return webhook;
};

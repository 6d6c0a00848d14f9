import {
  type bulkOrchestrator,
  type PayloadOf,
  secondsToNextUtcDay,
  serviceError,
  type WebhookKind,
  webhookDispatcher,
} from '@tds/contracts';
import type { ListenerContext, Sender } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { eventBody, type WebhookEvent } from '../domain/webhook-message.ts';
import type { Db } from '../store/database.ts';
import { insertDelivery } from '../store/deliveries.ts';
import { changeVersion, countAsked } from '../store/queues.ts';
import { lockWebhook, type Target } from '../store/webhooks.ts';
import type { Surface } from '../surface.ts';

/** What an event is about, and where it goes if not to the webhook of the account. */
type Promised = WebhookEvent & {
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

type JobKind = Extract<WebhookKind, `job.${string}`>;
type Told = PayloadOf<typeof bulkOrchestrator.jobCompleted>;

const toPromised = (kind: JobKind, told: Told, { messageId }: ListenerContext) => ({
  id: messageId,
  kind,
  accountId: told.accountId,
  overrideUrl: told.webhookUrl,
  monitorId: told.monitorId,
  job: { id: told.jobId, version: told.version },
  data: {
    job_id: told.jobId,
    monitor_id: told.monitorId,
    version: told.version,
    status: told.status,
    pause_reason: told.pauseReason,
    resumes_at: told.resumesAt,
    name: told.name,
    metadata: told.metadata,
    counts: told.counts,
    credits: told.credits,
  },
});

/** What a job tells becomes a delivery, in the transaction that notes that it was heard. */
export const promiseJobEvent =
  (kind: JobKind) =>
  async ({ db, messaging, sender }: Deps, told: Told, context: ListenerContext): Promise<void> => {
    await messaging.transaction(db, (tx, send) =>
      context.once(tx, async () => {
        await promiseEvent({ tx, send }, toPromised(kind, told, context));
      }),
    );
    sender.wake();
  };

/**
 * The enabled webhook of an account that asks for a delivery, which counts towards its day; its queue is held from then on. Throws
 * `webhook_not_configured` and `webhook_test_cap`.
 */
export const lockForAsking = async (tx: Db, accountId: string, now: Date): Promise<Target> => {
  const webhook = await lockWebhook(tx, accountId);
  if (!webhook?.enabled) throw serviceError('webhook_not_configured');
  if (!(await countAsked(tx, accountId)))
    throw serviceError('webhook_test_cap', { retryAfterSeconds: secondsToNextUtcDay(now) });
  return webhook;
};

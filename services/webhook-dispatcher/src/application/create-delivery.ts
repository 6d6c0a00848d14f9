import { pick } from '@tds/base';
import {
  type bulkOrchestrator,
  derivedId,
  type PayloadOf,
  secondsToNextUtcDay,
  type WebhookKind,
  webhookDispatcher,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { runOnce } from '@tds/kit';
import type { ListenerContext, Sender } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { bodyFor } from '../domain/chat-message.ts';
import { isChat } from '../domain/receiver-address.ts';
import { eventBody, type WebhookEvent } from '../domain/webhook-message.ts';
import type { Db } from '../store/database.ts';
import { insertDelivery } from '../store/deliveries.ts';
import { changeVersion, countRequestedDeliveries, lockQueue } from '../store/queues.ts';
import { findReceiver, findReceivers, type LiveReceiver } from '../store/receivers.ts';
import { lockWebhook, requireKnownReceivers, type WebhookTarget } from '../store/webhooks.ts';
import type { Surface } from '../surface.ts';

type Transaction = {
  readonly tx: Db;
  readonly send: Sender<Surface>;
  /** Where people reach the dashboard; null if this process does not know. */
  readonly publicUrl: string | null;
};
type Writing = Pick<Transaction, 'tx' | 'publicUrl'>;

/** What the deliveries of an event have in common. */
const fieldsOf = ({ id, kind, accountId, job, monitorId = null }: WebhookEvent) => ({
  ...{ accountId, eventId: id, kind, monitorId, resentFrom: null },
  jobId: job?.id ?? null,
  jobVersion: job?.version ?? null,
});

/**
 * Creates the delivery of an event to the webhook. Both have the same id. If the webhook is disabled, the delivery is stored as
 * failed. Requires the queue lock.
 */
export const deliverToWebhook = async (
  { tx, send }: Transaction,
  event: WebhookEvent,
  webhook: WebhookTarget,
): Promise<void> => {
  const { id, accountId, overrideUrl = null, overrideKeyId = null, job } = event;
  const isNew = await insertDelivery(tx, {
    ...fieldsOf(event),
    id,
    body: eventBody(event),
    url: overrideUrl ?? webhook.url,
    secretId: webhook.enabled ? webhook.secretId : null,
    isOverride: overrideUrl !== null,
    keyId: overrideUrl && overrideKeyId,
    receiverId: null,
  });
  if (!isNew || !job) return;
  const status = webhook.enabled ? 'pending' : 'failed';
  const version = await changeVersion(tx);
  await send.emit(webhookDispatcher.jobDeliveryChanged, { accountId, jobId: job.id, status, version });
};

/** Creates the delivery of an event to a receiver; to a disabled one it is stored as failed. Resolves to its id. Requires the queue lock. */
export const deliverToReceiver = async (
  { tx, publicUrl }: Writing,
  event: WebhookEvent,
  { id: receiverId, url, form, secretId, enabled }: LiveReceiver,
): Promise<string> => {
  const id = derivedId(event.id, receiverId);
  await insertDelivery(tx, {
    ...fieldsOf(event),
    ...{ id, url, receiverId, isOverride: false, keyId: null },
    body: bodyFor(form, event, publicUrl),
    secretId: enabled ? secretId : null,
    ...(isChat(form) && { atOnce: 1 }),
  });
  return id;
};

/** Whether a receiver gets an event: what names receivers is theirs alone. */
const isFor = ({ id, events, namedOnly }: LiveReceiver, { kind, receiverIds = [] }: WebhookEvent): boolean =>
  (events as WebhookKind[]).includes(kind) && (receiverIds.length > 0 ? receiverIds.includes(id) : !namedOnly);

/** Creates a delivery for each receiver of an event. */
export const deliverToReceivers = async (writing: Writing, event: WebhookEvent): Promise<void> => {
  await lockQueue(writing.tx, event.accountId);
  for (const receiver of await findReceivers(writing.tx, event.accountId))
    if (isFor(receiver, event)) await deliverToReceiver(writing, event, receiver);
};

/**
 * Creates the deliveries of an event in the transaction that records the event as handled: one to the webhook, and one to each receiver that
 * has chosen its kind. Their ids follow from that of the event, so an event that is handled again after a restore is the same delivery to
 * each. With `onlyIfEnabled` nothing is stored for a disabled webhook. Returns whether there is one for the webhook. Throws `RetryLater` while
 * a restore may lack webhooks or receivers.
 */
export const createDelivery = async (
  transaction: Transaction,
  event: WebhookEvent,
  { onlyIfEnabled = false }: { readonly onlyIfEnabled?: boolean } = {},
): Promise<boolean> => {
  const { tx } = transaction;
  const webhook = await lockWebhook(tx, event.accountId);
  const hasReceivers = await requireKnownReceivers(tx, event.accountId);
  if (hasReceivers) await deliverToReceivers(transaction, event);
  if (webhook === null || (onlyIfEnabled && !webhook.enabled)) return false;
  await deliverToWebhook(transaction, event, webhook);
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
  ...pick(job, 'monitorId', 'receiverIds'),
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
  const { publicUrl } = deps;
  await runOnce(deps, context, (tx, send) => deliver({ tx, send, publicUrl }));
  deps.sender.wake();
};

/** Handles an event of a job: creates its delivery. */
export const createJobDelivery =
  (kind: JobKind) =>
  (deps: Deps, job: JobEvent, context: ListenerContext): Promise<void> =>
    deliverOnce(deps, context, (transaction) =>
      createDelivery(transaction, toWebhookEvent(kind, job, context.messageId)),
    );

/** Counts a test event, a resend or a new receiver. Throws `webhook_test_cap`. Requires the queue lock. */
export const countRequest = async (tx: Db, accountId: string, now: Date, count = 1): Promise<void> => {
  if (await countRequestedDeliveries(tx, accountId, count)) return;
  throw serviceError('webhook_test_cap', { retryAfterSeconds: secondsToNextUtcDay(now) });
};

/**
 * Locks the enabled webhook and the queue of an account that requests a delivery, and counts the request. Throws
 * `webhook_not_configured` and `webhook_test_cap`.
 */
export const lockForRequest = async (tx: Db, accountId: string, now: Date): Promise<WebhookTarget> => {
  const webhook = await lockWebhook(tx, accountId);
  if (!webhook?.enabled) throw serviceError('webhook_not_configured');
  await countRequest(tx, accountId, now);
  return webhook;
};

/** Locks the queue of an account, and returns its receiver. Throws `receiver_not_found`. */
export const lockReceiver = async (tx: Db, accountId: string, receiverId: string): Promise<LiveReceiver> => {
  await lockQueue(tx, accountId);
  const receiver = await findReceiver(tx, accountId, receiverId);
  if (receiver === null) throw serviceError('receiver_not_found');
  return receiver;
};

/** The same of an enabled receiver. Throws `receiver_disabled`, too. */
export const lockEnabledReceiver = async (
  tx: Db,
  accountId: string,
  receiverId: string,
): Promise<LiveReceiver> => {
  const receiver = await lockReceiver(tx, accountId, receiverId);
  if (!receiver.enabled) throw serviceError('receiver_disabled');
  return receiver;
};

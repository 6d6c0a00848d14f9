import {
  bulkOrchestrator,
  creditsLedger,
  identity,
  monitorScheduler,
  type PayloadOf,
  timeOfId,
  transcriptFetcher,
  webhookDispatcher,
} from '@tds/contracts';
import { onEvent, runOnce } from '@tds/kit';
import {
  createDelivery,
  createJobDelivery,
  deliverOnce,
  deliverToReceivers,
  deliverToWebhook,
} from './application/create-delivery.ts';
import { endAndEmit } from './application/receiver-changes.ts';
import { deleteAndEmit } from './application/webhook-changes.ts';
import type { Deps } from './deps.ts';
import type { WebhookEvent } from './domain/webhook-message.ts';
import { changeVersion, lockQueue } from './store/queues.ts';
import { findReceivers } from './store/receivers.ts';
import { findWebhook, lockWebhook, requireKnownReceivers } from './store/webhooks.ts';

export const jobCompleted = onEvent(bulkOrchestrator.jobCompleted, createJobDelivery('job.completed'));
export const jobFailed = onEvent(bulkOrchestrator.jobFailed, createJobDelivery('job.failed'));
export const jobPaused = onEvent(bulkOrchestrator.jobPaused, createJobDelivery('job.paused'));
export const jobResumed = onEvent(bulkOrchestrator.jobResumed, createJobDelivery('job.resumed'));

type NewVideosFound = PayloadOf<typeof monitorScheduler.newVideosFound>;

/** Takes the id of the new videos, so that those emitted again after a restore are the same delivery. */
const toWebhookEvent = (payload: NewVideosFound, messageId: string): WebhookEvent => {
  const { accountId, monitorId, channel, playlist, title, videos } = payload;
  return {
    id: payload.newVideosId,
    at: timeOfId(messageId),
    kind: 'channel.new_videos',
    data: { monitor_id: monitorId, channel, playlist, title, videos },
    accountId,
    overrideUrl: payload.webhookUrl,
    overrideKeyId: payload.webhookKeyId,
    receiverIds: payload.receiverIds,
    monitorId,
  };
};

/** If the account has no enabled webhook and the monitor expects one, refuses the videos: the monitor emits them again later. */
export const newVideosFound = onEvent(monitorScheduler.newVideosFound, (deps: Deps, payload, context) => {
  const { accountId, monitorId, after, isExpected: onlyIfEnabled } = payload;
  return deliverOnce(deps, context, async (transaction) => {
    const { tx, send } = transaction;
    // The lock keeps a webhook from being configured between the check and the refusal.
    if (onlyIfEnabled) await lockQueue(tx, accountId);
    const event = toWebhookEvent(payload, context.messageId);
    if ((await createDelivery(transaction, event, { onlyIfEnabled })) || !onlyIfEnabled) return;
    const version = await changeVersion(tx);
    await send.emit(webhookDispatcher.newVideosRefused, { accountId, monitorId, after, version });
  });
});

/** Takes the id of the match, so that one found again after a restore is the same delivery. */
export const wordsFound = onEvent(transcriptFetcher.wordsFound, (deps: Deps, payload, context) => {
  const { accountId, monitorId, channel, playlist, title, webhookUrl, webhookKeyId, receiverIds } = payload;
  const { id, found_at: _, ...match } = payload.match;
  const event: WebhookEvent = {
    ...{ id, accountId, kind: 'monitor.words_found', at: timeOfId(context.messageId), monitorId },
    ...{ overrideUrl: webhookUrl, overrideKeyId: webhookKeyId, receiverIds },
    data: { monitor_id: monitorId, channel, playlist, title, match_id: id, ...match },
  };
  return deliverOnce(deps, context, (transaction) => createDelivery(transaction, event));
});

/** Ignores an event about an earlier threshold: the ledger emits another for the current one. */
export const balanceRanLow = onEvent(
  creditsLedger.balanceRanLow,
  (deps: Deps, { accountId, ...data }, context) =>
    deliverOnce(deps, context, async (transaction) => {
      const { tx } = transaction;
      const known = await findWebhook(tx, accountId);
      if (known === null) await requireKnownReceivers(tx, accountId);
      if (known?.lowBalanceThreshold !== data.threshold) return;
      const webhook = await lockWebhook(tx, accountId);
      const event = { id: context.messageId, kind: 'credits.low', accountId, data } as const;
      if (webhook) await deliverToWebhook(transaction, event, webhook);
    }),
);

/** Receivers hear of the threshold at which the account is mailed: an account may have them without a webhook. */
export const balanceRanLowForMail = onEvent(
  creditsLedger.balanceRanLowForMail,
  (deps: Deps, { accountId, ...balance }, context) =>
    deliverOnce(deps, context, async (transaction) => {
      const { tx } = transaction;
      if (!(await requireKnownReceivers(tx, accountId))) return;
      const id = context.messageId;
      // The event has no version of the balance; its time grows as well.
      const data = { ...balance, version: timeOfId(id).getTime() };
      await deliverToReceivers(transaction, { id, kind: 'credits.low', accountId, data });
    }),
);

/** Deletes the webhook and the receivers of a closed account. A closed account is never reopened. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  async (deps: Deps, { accountId, status }, context) => {
    if (status !== 'closed') return;
    await runOnce(deps, context, async (tx, send) => {
      await lockQueue(tx, accountId);
      const changeDeps = { tx, send, cipher: deps.cipher };
      await deleteAndEmit(changeDeps, { accountId, keyId: null });
      for (const { id: receiverId } of await findReceivers(tx, accountId))
        await endAndEmit(changeDeps, { accountId, receiverId, keyId: null });
    });
  },
);

import {
  bulkOrchestrator,
  creditsLedger,
  identity,
  monitorScheduler,
  type PayloadOf,
  timeOf,
  webhookDispatcher,
} from '@tds/contracts';
import { onEvent, type Sender } from '@tds/service-kit';
import { promiseEvent, promiseJobEvent } from './application/create-delivery.ts';
import { deleteWebhookOf } from './application/webhook-changes.ts';
import type { Deps } from './deps.ts';
import type { Db } from './store/database.ts';
import { changeVersion, lockQueue } from './store/queues.ts';
import { findWebhook } from './store/webhooks.ts';
import type { Surface } from './surface.ts';

export const jobCompleted = onEvent(bulkOrchestrator.jobCompleted, promiseJobEvent('job.completed'));

export const jobFailed = onEvent(bulkOrchestrator.jobFailed, promiseJobEvent('job.failed'));

export const jobPaused = onEvent(bulkOrchestrator.jobPaused, promiseJobEvent('job.paused'));

export const jobResumed = onEvent(bulkOrchestrator.jobResumed, promiseJobEvent('job.resumed'));

type Told = PayloadOf<typeof monitorScheduler.newVideosFound>;

/** Its id is that of the news: emitted again after a restore they are the same delivery. */
const toPromised = (told: Told, messageId: string) => {
  const {
    newsId: id,
    accountId,
    monitorId,
    webhookUrl: overrideUrl,
    channel,
    playlist,
    title,
    videos,
  } = told;
  const data = { monitor_id: monitorId, channel, playlist, title, videos };
  const kind = 'channel.new_videos' as const;
  const at = timeOf(messageId);
  return { id, at, kind, data, accountId, overrideUrl, monitorId, isAskedAgain: told.isExpected };
};

/** Its webhook went before the monitor heard of that. With the queue held nobody configures one meanwhile. */
const refuse = async (
  tx: Db,
  send: Sender<Surface>,
  { accountId, monitorId, after }: Told,
): Promise<void> => {
  const version = await changeVersion(tx);
  await send.emit(webhookDispatcher.newVideosRefused, { accountId, monitorId, after, version });
};

/** What a monitor has found becomes a delivery, in the transaction that notes that it was heard; or the monitor keeps it. */
export const newVideosFound = onEvent(
  monitorScheduler.newVideosFound,
  async ({ db, messaging, sender }: Deps, told, context) => {
    await messaging.transaction(db, (tx, send) =>
      context.once(tx, async () => {
        if (told.isExpected) await lockQueue(tx, told.accountId);
        const delivery = await promiseEvent({ tx, send }, toPromised(told, context.messageId));
        if (delivery === null && told.isExpected) await refuse(tx, send, told);
      }),
    );
    sender.wake();
  },
);

/** Where the threshold is another one by now, this is old news: what is true of the new one is told by itself. */
export const balanceRanLow = onEvent(
  creditsLedger.balanceRanLow,
  async ({ db, messaging, sender }: Deps, { accountId, ...data }, context) => {
    await messaging.transaction(db, (tx, send) =>
      context.once(tx, async () => {
        const webhook = await findWebhook(tx, accountId);
        if (webhook?.lowBalanceThreshold !== data.threshold) return;
        const event = { id: context.messageId, kind: 'credits.low', accountId, data } as const;
        await promiseEvent({ tx, send }, event);
      }),
    );
    sender.wake();
  },
);

/** A closed account has no webhook any more. Its status never changes back to one that had it. */
export const accountStatusChanged = onEvent(
  identity.accountStatusChanged,
  async (
    { db, messaging, seals }: Pick<Deps, 'db' | 'messaging' | 'seals'>,
    { accountId, status },
    context,
  ) => {
    if (status !== 'closed') return;
    await messaging.transaction(db, (tx, send) =>
      context.once(tx, async () => {
        await lockQueue(tx, accountId);
        await deleteWebhookOf({ tx, send, seals }, { accountId, keyId: null });
      }),
    );
  },
);

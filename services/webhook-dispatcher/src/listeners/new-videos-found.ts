import { monitorScheduler, type PayloadOf, timeOf, webhookDispatcher } from '@tds/contracts';
import { onEvent, type Sender } from '@tds/service-kit';
import { promiseEvent } from '../application/promise-event.ts';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import { changeVersion, lockQueue } from '../store/queues.ts';
import type { Surface } from '../surface.ts';

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

import { monitorScheduler } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { promiseEvent } from '../application/promise-event.ts';
import type { Deps } from '../deps.ts';

/** What a monitor has found becomes a delivery, in the transaction that notes that it was heard. */
export const newVideosFound = onEvent(
  monitorScheduler.newVideosFound,
  async ({ db, messaging, sender, now }: Deps, told, context) => {
    const { accountId, monitorId, webhookUrl: overrideUrl, channel, playlist, title, videos } = told;
    const data = { monitor_id: monitorId, channel, playlist, title, videos };
    const event = { id: context.messageId, kind: 'channel.new_videos' as const, data };
    await messaging.transaction(db, (tx, send) =>
      context.once(tx, async () => {
        await promiseEvent({ tx, send, now: now() }, { ...event, accountId, overrideUrl, monitorId });
      }),
    );
    sender.wake();
  },
);

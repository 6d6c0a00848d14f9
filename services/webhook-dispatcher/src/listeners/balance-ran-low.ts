import { creditsLedger } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { promiseEvent } from '../application/promise-event.ts';
import type { Deps } from '../deps.ts';
import { findWebhook } from '../store/webhooks.ts';

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

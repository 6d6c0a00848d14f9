import { webhookDispatcher } from '@tds/contracts';
import type { ListenerContext } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { changeVersion, lockQueue } from '../store/queues.ts';
import { findWebhook } from '../store/webhooks.ts';

/** Others have heard of a webhook what this database, a copy from before, does not know: they are told what is so now. */
export const retellWebhook = (
  { db, messaging }: Pick<Deps, 'db' | 'messaging'>,
  { accountId }: { readonly accountId: string },
  { once }: Pick<ListenerContext, 'once'>,
): Promise<void> =>
  messaging.transaction(db, (tx, send) =>
    once(tx, async () => {
      await lockQueue(tx, accountId);
      const webhook = await findWebhook(tx, accountId);
      const told = { accountId, version: await changeVersion(tx) };
      if (webhook === null) return send.emit(webhookDispatcher.webhookRemoved, told);
      const { lowBalanceThreshold } = webhook;
      return send.emit(webhookDispatcher.webhookConfigured, { ...told, lowBalanceThreshold });
    }),
  );

import { webhookDispatcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { deleteWebhookOf } from '../application/webhook-changes.ts';
import type { Deps } from '../deps.ts';
import { lockQueue } from '../store/queues.ts';

export const deleteWebhook = onCommand(
  webhookDispatcher.deleteWebhook,
  async ({ db, messaging, seals }: Pick<Deps, 'db' | 'messaging' | 'seals'>, request) => ({
    isDeleted: await messaging.transaction(db, async (tx, send) => {
      await lockQueue(tx, request.accountId);
      return deleteWebhookOf({ tx, send, seals }, request);
    }),
  }),
);

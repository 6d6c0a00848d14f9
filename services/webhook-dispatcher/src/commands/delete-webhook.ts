import { webhookDispatcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { deleteWebhookOf } from '../application/delete-webhook.ts';
import type { Deps } from '../deps.ts';

export const deleteWebhook = onCommand(
  webhookDispatcher.deleteWebhook,
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { accountId }) => ({
    isDeleted: await messaging.transaction(db, (tx, send) => deleteWebhookOf(tx, send, accountId)),
  }),
);

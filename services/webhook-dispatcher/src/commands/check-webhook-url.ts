import { serviceError, webhookDispatcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { checkDestination } from '../application/check-destination.ts';
import type { Deps } from '../deps.ts';
import { findEnabledWebhook } from '../store/webhooks.ts';

export const checkWebhookUrl = onCommand(
  webhookDispatcher.checkWebhookUrl,
  async ({ db, guard }: Pick<Deps, 'db' | 'guard'>, { accountId, url }) => {
    if ((await findEnabledWebhook(db, accountId)) === null) throw serviceError('webhook_not_configured');
    await checkDestination(guard, url, 'invalid_webhook_url');
    return {};
  },
);

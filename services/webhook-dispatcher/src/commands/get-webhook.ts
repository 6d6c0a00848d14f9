import { webhookDispatcher } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { findWebhook } from '../store/webhooks.ts';
import { toWebhook } from './webhook-reply.ts';

export const getWebhook = onCommand(
  webhookDispatcher.getWebhook,
  async ({ db }: Pick<Deps, 'db'>, { accountId }) => {
    const found = await findWebhook(db, accountId);
    return { webhook: found && toWebhook(found) };
  },
);

import { webhookDispatcher } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { followWebhook } from '../store/webhooks.ts';

export const webhookConfigured = onEvent(
  webhookDispatcher.webhookConfigured,
  ({ db }: Pick<Deps, 'db'>, told) => db.$transaction((tx) => followWebhook(tx, told, true)),
);

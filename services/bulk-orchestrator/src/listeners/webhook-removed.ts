import { webhookDispatcher } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { followWebhook } from '../store/webhooks.ts';

export const webhookRemoved = onEvent(webhookDispatcher.webhookRemoved, ({ db }: Pick<Deps, 'db'>, told) =>
  db.$transaction((tx) => followWebhook(tx, told, false)),
);

import { webhookDispatcher } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import { followWebhook } from '../application/follow-webhook.ts';
import type { Deps } from '../deps.ts';

export const webhookDisabled = onEvent(webhookDispatcher.webhookDisabled, (deps: Deps, told) =>
  followWebhook(deps, told, false),
);

import { webhookDispatcher } from '@tds/contracts';
import { defineService, onEvent } from '@tds/service-kit';
import { retakeWebhook } from './application/webhook-changes.ts';
import * as deliveries from './commands/deliveries.ts';
import * as webhook from './commands/webhook.ts';
import { createDeps } from './create-deps.ts';
import type { Deps } from './deps.ts';
import * as subscriptions from './listeners.ts';
import * as schedules from './schedules.ts';
import { surface } from './surface.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: { ...webhook, ...deliveries },
  subscriptions,
  onOwnLostEvents: {
    webhookChanged: onEvent(webhookDispatcher.webhookChanged, (deps: Deps, told, context) =>
      retakeWebhook(deps, told, context),
    ),
  },
  schedules,
});

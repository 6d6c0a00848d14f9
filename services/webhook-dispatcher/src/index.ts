import { webhookDispatcher } from '@tds/contracts';
import { defineService, onEvent } from '@tds/kit';
import { reapplyLostChange } from './application/webhook-changes.ts';
import * as deliveries from './commands/deliveries.ts';
import * as documents from './commands/documents.ts';
import * as webhook from './commands/webhook.ts';
import { createDeps } from './create-deps.ts';
import * as subscriptions from './listeners.ts';
import * as schedules from './schedules.ts';
import { surface } from './surface.ts';

export const service = defineService({
  surface,
  createDeps,
  start: async ({ sender }, kit) => {
    sender.start();
    kit.onStop('sender', sender.stop);
  },
  commands: { ...webhook, ...deliveries, ...documents },
  subscriptions,
  onOwnLostEvents: { webhookChanged: onEvent(webhookDispatcher.webhookChanged, reapplyLostChange) },
  schedules,
});

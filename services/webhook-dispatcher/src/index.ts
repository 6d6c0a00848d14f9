import { defineService } from '@tds/kit';
import * as deliveries from './commands/deliveries.ts';
import * as documents from './commands/documents.ts';
import * as receivers from './commands/receivers.ts';
import * as webhook from './commands/webhook.ts';
import { createDeps } from './create-deps.ts';
import * as subscriptions from './listeners.ts';
import * as onOwnLostEvents from './recovery.ts';
import * as schedules from './schedules.ts';
import { surface } from './surface.ts';

export const service = defineService({
  surface,
  createDeps,
  start: async ({ sender }, kit) => {
    sender.start();
    kit.onStop('sender', sender.stop);
  },
  commands: { ...webhook, ...receivers, ...deliveries, ...documents },
  subscriptions,
  onOwnLostEvents,
  schedules,
});

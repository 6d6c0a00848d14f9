import { defineService } from '@tds/kit';
import * as checkouts from './commands/checkouts.ts';
import * as purchases from './commands/purchases.ts';
import { receivePaymentEvent } from './commands/receive-payment-event.ts';
import * as refills from './commands/refills.ts';
import { createDeps } from './create-deps.ts';
import * as subscriptions from './listeners.ts';
import * as refillTasks from './refill-tasks.ts';
import * as schedules from './schedules.ts';
import { surface } from './surface.ts';
import * as tasks from './tasks.ts';

export const service = defineService({
  surface,
  createDeps,
  // Compares the prices before the first customer comes; the start does not wait for the answer.
  start: async ({ prices, log }) => {
    prices.check().catch((error: unknown) => log.error('the processor has other prices', { error }));
  },
  commands: { ...checkouts, ...purchases, ...refills, receivePaymentEvent },
  subscriptions,
  tasks: { ...tasks, ...refillTasks },
  schedules,
});

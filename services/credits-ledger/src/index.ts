import { defineService } from '@tds/kit';
import { correctBlock, grantPurchases, listGrants, lookUpGrants, takeBackBlock } from './commands/blocks.ts';
import {
  chargeItems,
  listChargedReservations,
  listOpenReservations,
  lookUpItems,
  lookUpJob,
  refundItems,
  reserveItems,
  resolveItems,
} from './commands/items.ts';
import { getRequest, listRequests, recordRequests } from './commands/requests.ts';
import {
  getBalance,
  getDayUsage,
  getLedger,
  getSpending,
  getUsage,
  recordUsage,
  setMailThreshold,
} from './commands/usage.ts';
import { createDeps } from './create-deps.ts';
import {
  accountCreated,
  accountStatusChanged,
  keyCreated,
  outageDayEvaluated,
  webhookConfigured,
  webhookRemoved,
} from './listeners.ts';
import { forgetRequests, forgetUsageBatches, openMonths, sealEntries } from './schedules.ts';
import { surface } from './surface.ts';
import { grantOutageCredits } from './tasks.ts';

export const service = defineService({
  surface,
  createDeps,
  commands: {
    reserveItems,
    resolveItems,
    chargeItems,
    refundItems,
    getBalance,
    setMailThreshold,
    recordUsage,
    recordRequests,
    listRequests,
    getRequest,
    getUsage,
    getDayUsage,
    getLedger,
    listChargedReservations,
    listOpenReservations,
    lookUpJob,
    lookUpItems,
    grantPurchases,
    takeBackBlock,
    correctBlock,
    lookUpGrants,
    listGrants,
    getSpending,
  },
  tasks: { grantOutageCredits },
  subscriptions: {
    accountCreated,
    accountStatusChanged,
    keyCreated,
    outageDayEvaluated,
    webhookConfigured,
    webhookRemoved,
  },
  schedules: { forgetRequests, forgetUsageBatches, openMonths, sealEntries },
});

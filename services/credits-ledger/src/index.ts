import { defineService } from '@tds/kit';
import { correctBlock, grantPurchases, listGrants, lookUpGrants, takeBackBlock } from './commands/blocks.ts';
import {
  chargeParts,
  listChargedReservations,
  listOpenReservations,
  lookUpJob,
  lookUpParts,
  refundParts,
  reserveParts,
  resolveParts,
} from './commands/parts.ts';
import { getRequest, listRequests, recordRequests } from './commands/requests.ts';
import { getBalance, getDayUsage, getLedger, getSpending, getUsage, recordUsage } from './commands/usage.ts';
import { createDeps } from './create-deps.ts';
import {
  accountCreated,
  accountStatusChanged,
  keyCreated,
  outageDayJudged,
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
    reserveParts,
    resolveParts,
    chargeParts,
    refundParts,
    getBalance,
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
    lookUpParts,
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
    outageDayJudged,
    webhookConfigured,
    webhookRemoved,
  },
  schedules: { forgetRequests, forgetUsageBatches, openMonths, sealEntries },
});

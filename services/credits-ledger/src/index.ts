import { defineService } from '@tds/service-kit';
import { chargeParts } from './commands/charge-parts.ts';
import { correctBlock } from './commands/correct-block.ts';
import { getBalance } from './commands/get-balance.ts';
import { getDayUsage } from './commands/get-day-usage.ts';
import { getLedger } from './commands/get-ledger.ts';
import { getSpending } from './commands/get-spending.ts';
import { getUsage } from './commands/get-usage.ts';
import { grantPurchases } from './commands/grant-purchases.ts';
import { listChargedReservations } from './commands/list-charged-reservations.ts';
import { listGrants } from './commands/list-grants.ts';
import { listOpenReservations } from './commands/list-open-reservations.ts';
import { lookUpGrants } from './commands/look-up-grants.ts';
import { lookUpJob } from './commands/look-up-job.ts';
import { lookUpParts } from './commands/look-up-parts.ts';
import { recordUsage } from './commands/record-usage.ts';
import { refundParts } from './commands/refund-parts.ts';
import { reserveParts } from './commands/reserve-parts.ts';
import { resolveParts } from './commands/resolve-parts.ts';
import { takeBackBlock } from './commands/take-back-block.ts';
import { createDeps } from './create-deps.ts';
import { accountCreated } from './listeners/account-created.ts';
import { accountStatusChanged } from './listeners/account-status-changed.ts';
import { keyCreated } from './listeners/key-created.ts';
import { outageDayJudged } from './listeners/outage-day-judged.ts';
import { webhookConfigured } from './listeners/webhook-configured.ts';
import { webhookRemoved } from './listeners/webhook-removed.ts';
import { forgetUsageBatches } from './schedules/forget-usage-batches.ts';
import { openMonths } from './schedules/open-months.ts';
import { sealEntries } from './schedules/seal-entries.ts';
import { surface } from './surface.ts';
import { grantOutageCredits } from './tasks/grant-outage-credits.ts';

export { checkBooks, checkNewBooks, type Finding } from './books/check-books.ts';

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
  schedules: { forgetUsageBatches, openMonths, sealEntries },
});

import { defineService } from '@tds/service-kit';
import { chargeCredits } from './commands/charge-credits.ts';
import { disputeCredits } from './commands/dispute-credits.ts';
import { getBalance } from './commands/get-balance.ts';
import { getDayUsage } from './commands/get-day-usage.ts';
import { getLedger } from './commands/get-ledger.ts';
import { getUsage } from './commands/get-usage.ts';
import { grantOutageCredit } from './commands/grant-outage-credit.ts';
import { listChargedReservations } from './commands/list-charged-reservations.ts';
import { listOpenReservations } from './commands/list-open-reservations.ts';
import { lookUpReservations } from './commands/look-up-reservations.ts';
import { recordUsage } from './commands/record-usage.ts';
import { refundCharge } from './commands/refund-charge.ts';
import { releaseReservation } from './commands/release-reservation.ts';
import { reserveCredits } from './commands/reserve-credits.ts';
import { reserveInParts } from './commands/reserve-in-parts.ts';
import { settleParts } from './commands/settle-parts.ts';
import { settleReservation } from './commands/settle-reservation.ts';
import { createDeps } from './deps.ts';
import { accountCreated } from './listeners/account-created.ts';
import { accountStatusChanged } from './listeners/account-status-changed.ts';
import { keyCreated } from './listeners/key-created.ts';
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
    reserveCredits,
    reserveInParts,
    settleReservation,
    settleParts,
    releaseReservation,
    chargeCredits,
    refundCharge,
    disputeCredits,
    getBalance,
    recordUsage,
    getUsage,
    getDayUsage,
    getLedger,
    grantOutageCredit,
    listChargedReservations,
    listOpenReservations,
    lookUpReservations,
  },
  tasks: { grantOutageCredits },
  subscriptions: { accountCreated, accountStatusChanged, keyCreated },
  schedules: { forgetUsageBatches, openMonths, sealEntries },
});

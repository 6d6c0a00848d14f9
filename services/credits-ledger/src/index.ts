import { defineService } from '@tds/service-kit';
import { getBalance } from './commands/get-balance.ts';
import { getDayUsage } from './commands/get-day-usage.ts';
import { getLedger } from './commands/get-ledger.ts';
import { getUsage } from './commands/get-usage.ts';
import { grantOutageCredit } from './commands/grant-outage-credit.ts';
import { listOpenReservations } from './commands/list-open-reservations.ts';
import { lookUpReservations } from './commands/look-up-reservations.ts';
import { recordUsage } from './commands/record-usage.ts';
import { refundCharge } from './commands/refund-charge.ts';
import { releaseReservation } from './commands/release-reservation.ts';
import { reserveCredits } from './commands/reserve-credits.ts';
import { settleReservation } from './commands/settle-reservation.ts';
import { createDeps } from './deps.ts';
import { onAccountCreated } from './listeners/on-account-created.ts';
import { onAccountStatusChanged } from './listeners/on-account-status-changed.ts';
import { forgetUsageBatches } from './schedules/forget-usage-batches.ts';
import { sealEntries } from './schedules/seal-entries.ts';
import { surface } from './surface.ts';
import { grantOutageCredits } from './tasks/grant-outage-credits.ts';

export { checkBooks, type Finding } from './books/check-books.ts';

export const creditsLedger = defineService({
  surface,
  start: async (kit, environment) => {
    const deps = createDeps(kit, environment);
    return {
      commands: {
        'reserve-credits': reserveCredits(deps),
        'settle-reservation': settleReservation(deps),
        'release-reservation': releaseReservation(deps),
        'refund-charge': refundCharge(deps),
        'get-balance': getBalance(deps),
        'record-usage': recordUsage(deps),
        'get-usage': getUsage(deps),
        'get-day-usage': getDayUsage(deps),
        'get-ledger': getLedger(deps),
        'grant-outage-credit': grantOutageCredit(deps),
        'list-open-reservations': listOpenReservations(deps),
        'look-up-reservations': lookUpReservations(deps),
      },
      tasks: { 'grant-outage-credits': grantOutageCredits(deps) },
      listeners: {
        'account-created': onAccountCreated(deps),
        'account-status-changed': onAccountStatusChanged(deps),
      },
      watchers: {},
      schedules: { 'forget-usage-batches': forgetUsageBatches(deps), 'seal-entries': sealEntries(deps) },
    };
  },
});

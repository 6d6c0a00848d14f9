import { defineService } from '@tds/service-kit';
import { getBalance } from './commands/get-balance.ts';
import { releaseReservation } from './commands/release-reservation.ts';
import { reserveCredits } from './commands/reserve-credits.ts';
import { settleReservation } from './commands/settle-reservation.ts';
import { createDeps } from './deps.ts';
import { onAccountCreated } from './listeners/on-account-created.ts';
import { onAccountStatusChanged } from './listeners/on-account-status-changed.ts';
import { surface } from './surface.ts';

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
        'get-balance': getBalance(deps),
      },
      tasks: {},
      listeners: {
        'account-created': onAccountCreated(deps),
        'account-status-changed': onAccountStatusChanged(deps),
      },
      watchers: {},
      schedules: {},
    };
  },
});

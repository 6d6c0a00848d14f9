import { creditsLedger, utcDay } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

export const grantOutageCredit = onCommand(
  creditsLedger.grantOutageCredit,
  async ({ db, messaging, now }: Pick<Deps, 'db' | 'messaging' | 'now'>, { day }) => {
    if (day >= utcDay(now())) throw new Error(`the day ${day} is not over`);
    await messaging.transaction(db, (_tx, send) => send.enqueue(creditsLedger.grantOutageCredits, { day }));
    return {};
  },
);

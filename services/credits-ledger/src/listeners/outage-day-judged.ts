import { creditsLedger, status } from '@tds/contracts';
import { onEvent } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** Every account gets a tenth of what that day's deliveries cost it, once, however often the day is told. */
export const outageDayJudged = onEvent(
  status.outageDayJudged,
  async ({ db, messaging }: Pick<Deps, 'db' | 'messaging'>, { day }, { once }) => {
    await messaging.transaction(db, (tx, send) =>
      once(tx, async () => {
        await send.enqueue(creditsLedger.grantOutageCredits, { day }, { key: day });
      }),
    );
  },
);

import { status } from '@tds/contracts';
import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { judgeOverDays } from '../store/slots.ts';

/** Tells the days that were outages; what each account gets for them, the ledger knows. */
export const judgeDays = onSchedule(
  async ({ db, messaging, now }: Pick<Deps, 'db' | 'messaging' | 'now'>, { record }) => {
    const at = await now();
    await messaging.transaction(db, async (tx, send) => {
      const outages = (await judgeOverDays(tx, at)).filter(({ isOutage }) => isOutage);
      for (const { isOutage: _, ...outage } of outages) await send.emit(status.outageDayJudged, outage);
      record.add({ outages: outages.length });
    });
  },
);

import { status } from '@tds/contracts';
import { onSchedule, purgeEach } from '@tds/service-kit';
import { readStatus } from './application/status.ts';
import type { Deps } from './deps.ts';
import { judgeOverDays, noteImpaired } from './store/observations.ts';
import { purgesOf } from './store/old-rows.ts';

/** Silence makes no event: somebody has to look. */
export const followIncidents = onSchedule(async ({ db, now }: Pick<Deps, 'db' | 'now'>, { record }) => {
  const at = await now();
  const { impaired } = await readStatus(db, at);
  if (await noteImpaired(db, impaired, at)) record.add({ impaired: impaired.join(' ') });
});

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

export const purgeOldRows = onSchedule(async ({ db, now }: Pick<Deps, 'db' | 'now'>, { signal, record }) => {
  record.add(await purgeEach(purgesOf(db, await now()), { signal }));
});

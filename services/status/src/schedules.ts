import { purgeEach } from '@tds/base';
import { status } from '@tds/contracts';
import { onSchedule } from '@tds/kit';
import { readStatus } from './application/status.ts';
import type { Deps } from './deps.ts';
import { createPurges, evaluateOverDays, saveChange } from './store/observations.ts';

/** Saves changes of the impairments. Missing reports emit nothing, so this has to poll. */
export const updateIncidents = onSchedule(async ({ db, now }: Deps, { record }) => {
  const at = await now();
  const { impaired } = await readStatus(db, at);
  if (await saveChange(db, impaired, at)) record.add({ impaired: impaired.join(' ') });
});

/** Emits the days that were outages. The ledger decides what each account gets for them. */
export const evaluateDays = onSchedule(async ({ db, messaging, now }: Deps, { record }) => {
  const at = await now();
  await messaging.transaction(db, async (tx, send) => {
    const outages = (await evaluateOverDays(tx, at)).filter(({ isOutage }) => isOutage);
    for (const { isOutage: _, ...outage } of outages) await send.emit(status.outageDayEvaluated, outage);
    record.add({ outages: outages.length });
  });
});

export const purgeOldRows = onSchedule(async ({ db, now }: Deps, { signal, record }) => {
  record.add(await purgeEach(createPurges(db, await now()), { signal }));
});

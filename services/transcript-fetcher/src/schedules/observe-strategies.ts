import { transcriptFetcher } from '@tds/contracts';
import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** Tells how the serving strategies fare as this instance sees them; outage days are judged from these. */
export const observeStrategies = onSchedule(async ({ db, messaging, platform, now }: Deps) => {
  const strategies = platform
    .strategyHealth()
    .map(({ strategy, egress, state }) => ({ strategy, exit: egress, healthy: state !== 'open' }));
  const observedAt = now().toISOString();
  await messaging.transaction(db, (_tx, send) =>
    send.emit(transcriptFetcher.strategyObserved, { observedAt, strategies }),
  );
});

import { transcriptFetcher } from '@tds/contracts';
import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** Tells how the serving strategies fare; outage days are judged from these. */
export const observeStrategies = onSchedule(async ({ db, kit, platform, clock }: Deps) => {
  const strategies = platform
    .strategyHealth()
    .map(({ strategy, exit, state }) => ({ strategy, exit, healthy: state !== 'open' }));
  const observedAt = clock().toISOString();
  await kit.messaging.transaction(db, (_tx, send) =>
    send.emit(transcriptFetcher.strategyObserved, { observedAt, strategies }),
  );
});

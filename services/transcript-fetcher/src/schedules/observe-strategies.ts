import { strategyObserved } from '@tds/contracts';
import type { Deps } from '../deps.ts';

/** Tells how the serving strategies fare; outage days are judged from these. */
export const observeStrategies =
  ({ db, kit, platform, clock }: Deps) =>
  async (): Promise<void> => {
    const strategies = platform
      .strategyHealth()
      .map(({ strategy, exit, state }) => ({ strategy, exit, healthy: state !== 'open' }));
    const observedAt = clock().toISOString();
    await kit.messaging.transaction(db, (_tx, send) =>
      send.emit(strategyObserved, { observedAt, strategies }),
    );
  };

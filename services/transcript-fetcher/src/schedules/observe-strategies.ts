import { transcriptFetcher } from '@tds/contracts';
import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { coldCapacityOf, observedRoutes } from '../domain/observed-routes.ts';
import { readSharedUse } from '../store/shared-use.ts';

/** Tells how strategies and capacity fare as this instance sees them: at each change, and each minute. */
export const observeStrategies = onSchedule(
  async ({ db, messaging, platform, proxies, limits, observer, now }: Deps) => {
    const { at, ...used } = await readSharedUse(db, { hasProxies: proxies.count > 0 });
    const observed = {
      strategies: observedRoutes(platform.strategyHealth(), now()),
      capacity: coldCapacityOf(used, { ...limits, proxyBytesPerDay: proxies.bytesPerDay }),
    };
    if (!observer.isNews(observed, at)) return;
    const { instance } = observer;
    await messaging.transaction(db, (_tx, send) =>
      send.emit(transcriptFetcher.strategyObserved, {
        instance,
        observedAt: at.toISOString(),
        ...observed,
      }),
    );
    observer.said(observed, at);
  },
);

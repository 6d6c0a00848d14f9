import type { Kit } from '@tds/kit';
import {
  createDiscovery,
  type Discovery,
  measureBudget,
  measurePlatform,
  openStrategies,
  sqlByteBudget,
} from '@tds/video-platform';
import type { Config } from '../config.ts';
import type { Surface } from '../surface.ts';

/** The platform requests of monitors. */
export type Platform = Pick<Discovery, 'readFeed' | 'listPage' | 'lookUpVideo'>;

export const openPlatform = (
  kit: Pick<Kit<Surface>, 'db' | 'log' | 'metrics' | 'onStop'>,
  { platform }: Config,
): Platform => {
  const { db, metrics, onStop } = kit;
  const discovery = createDiscovery({
    ...platform,
    strategies: openStrategies(platform.strategiesFile, kit),
    // A feed is read for all its watchers, so no account has a share.
    budget: sqlByteBudget(db, { ...platform.proxyBytes, ofCaller: platform.proxyBytes.ofAll }),
    ...measurePlatform(metrics),
  });
  measureBudget(kit, platform.proxyBytes);
  onStop('video platform', () => discovery.close());
  return discovery;
};

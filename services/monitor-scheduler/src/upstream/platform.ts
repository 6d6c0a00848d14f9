import type { Kit } from '@tds/kit';
import { createDiscovery, type Discovery, measurePlatform, sqlByteBudget } from '@tds/video-platform';
import type { Config } from '../config.ts';
import type { Surface } from '../surface.ts';

/** The platform requests of monitors. */
export type Platform = Pick<Discovery, 'readFeed' | 'listPage' | 'lookUpVideo'>;

export const openPlatform = (
  { db, measures, onStop }: Pick<Kit<Surface>, 'db' | 'measures' | 'onStop'>,
  { platform }: Config,
): Platform => {
  const discovery = createDiscovery({
    ...platform,
    // A feed is read for all its watchers, so no account has a share.
    budget: sqlByteBudget(db, { ...platform.proxyBytes, ofCaller: platform.proxyBytes.ofAll }),
    ...measurePlatform(measures),
  });
  onStop('video platform', () => discovery.close());
  return discovery;
};

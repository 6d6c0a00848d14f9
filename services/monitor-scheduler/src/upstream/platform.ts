import type { Kit } from '@tds/kit';
import {
  countUnreadable,
  createDiscovery,
  type Discovery,
  egressesOf,
  sqlByteBudget,
} from '@tds/video-platform';
import type { Config } from '../config.ts';
import type { Surface } from '../surface.ts';

/** The platform requests of monitors. */
export type Platform = Pick<Discovery, 'readFeed' | 'listPage' | 'lookUpVideo'>;

export const openPlatform = (
  { db, measures, onStop }: Pick<Kit<Surface>, 'db' | 'measures' | 'onStop'>,
  { platformOrigin, proxyUrls, proxyBytesPerDay }: Config,
): Platform => {
  const discovery = createDiscovery({
    origin: platformOrigin,
    egresses: egressesOf(proxyUrls),
    // A feed is read for all its watchers, so no account has a share.
    budget: sqlByteBudget(db, { ofAll: proxyBytesPerDay, ofCaller: proxyBytesPerDay }),
    onAttempt: countUnreadable(measures),
  });
  onStop('video platform', () => discovery.close());
  return discovery;
};

import type { Kit } from '@tds/kit';
import { createDiscovery, type Discovery, toPlatformOptions } from '@tds/video-platform';
import type { Config } from '../config.ts';
import type { Surface } from '../surface.ts';

/** The platform requests of monitors. */
export type Platform = Pick<Discovery, 'readFeed' | 'listPage' | 'lookUpVideo'>;

export const openPlatform = (
  kit: Pick<Kit<Surface>, 'db' | 'log' | 'metrics' | 'onStop'>,
  { platform }: Config,
): Platform => {
  // A feed is read for all its watchers, so no account has a share.
  const proxyBytes = { ...platform.proxyBytes, ofCaller: platform.proxyBytes.ofAll };
  const discovery = createDiscovery(toPlatformOptions(kit, platform, proxyBytes));
  kit.onStop('video platform', () => discovery.close());
  return discovery;
};

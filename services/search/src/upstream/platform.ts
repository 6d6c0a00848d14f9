import { withSpans } from '@tds/base';
import type { Kit } from '@tds/kit';
import { createDataApi, createDiscovery, toPlatformOptions } from '@tds/video-platform';
import type { Config } from '../config.ts';
import type { Surface } from '../surface.ts';

/** Opens the configured ways to the platform. */
export const openPlatform = (
  kit: Pick<Kit<Surface>, 'db' | 'log' | 'metrics' | 'onStop'>,
  { platform, dataApiOrigin, dataApiKey }: Config,
  { clock, takeUnit }: Required<Pick<Parameters<typeof createDataApi>[0], 'clock' | 'takeUnit'>>,
) => {
  const discovery = createDiscovery({ ...toPlatformOptions(kit, platform), clock });
  kit.onStop('video platform', () => discovery.close());
  const key = dataApiKey?.reveal();
  const traced = withSpans('platform', discovery);
  if (key === undefined) return { discovery: traced, dataApi: null };
  const dataApi = createDataApi({ origin: dataApiOrigin, key, takeUnit, clock });
  kit.onStop('data api', () => dataApi.close());
  return { discovery: traced, dataApi: withSpans('platform data-api', dataApi) };
};

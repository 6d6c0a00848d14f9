import { withSpans } from '@tds/base';
import type { Kit } from '@tds/kit';
import {
  createDataApi,
  createDiscovery,
  measureBudget,
  measurePlatform,
  openStrategies,
  sqlByteBudget,
} from '@tds/video-platform';
import type { Config } from '../config.ts';
import type { Surface } from '../surface.ts';

/** Opens the configured ways to the platform. */
export const openPlatform = (
  kit: Pick<Kit<Surface>, 'db' | 'log' | 'metrics' | 'onStop'>,
  { platform, dataApiOrigin, dataApiKey }: Config,
  { clock, takeUnit }: Required<Pick<Parameters<typeof createDataApi>[0], 'clock' | 'takeUnit'>>,
) => {
  const { db, metrics, onStop } = kit;
  const discovery = createDiscovery({
    ...platform,
    strategies: openStrategies(platform.strategiesFile, kit),
    budget: sqlByteBudget(db, platform.proxyBytes),
    clock,
    ...measurePlatform(metrics),
  });
  measureBudget(kit, platform.proxyBytes);
  onStop('video platform', () => discovery.close());
  const key = dataApiKey?.reveal();
  const traced = withSpans('platform', discovery);
  if (key === undefined) return { discovery: traced, dataApi: null };
  const dataApi = createDataApi({ origin: dataApiOrigin, key, takeUnit, clock });
  onStop('data api', () => dataApi.close());
  return { discovery: traced, dataApi: withSpans('platform data-api', dataApi) };
};

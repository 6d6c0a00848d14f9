import {
  type ByteBudget,
  createDataApi,
  createDiscovery,
  type DataApi,
  type Discovery,
  egressesOf,
} from '@tds/video-platform';
import type { Config } from '../config.ts';

export type Platform = {
  readonly discovery: Discovery;
  readonly dataApi: DataApi | null;
  close(): Promise<void>;
};

/** The ways to the platform that are configured. */
export const openPlatform = (config: Config, budget: ByteBudget, clock: () => Date): Platform => {
  const discovery = createDiscovery({
    origin: config.PLATFORM_ORIGIN,
    egresses: egressesOf(config.PLATFORM_PROXY_URLS),
    budget,
    clock,
  });
  const key = config.PLATFORM_DATA_API_KEY?.reveal();
  const dataApi =
    key === undefined ? null : createDataApi({ origin: config.PLATFORM_DATA_API_ORIGIN, key, clock });
  return {
    discovery,
    dataApi,
    async close() {
      await Promise.all([discovery.close(), dataApi?.close()]);
    },
  };
};

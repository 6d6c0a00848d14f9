import { type Kit, withSpans } from '@tds/service-kit';
import {
  createDataApi,
  createDiscovery,
  type DataApi,
  type Discovery,
  egressesOf,
  sqlByteBudget,
} from '@tds/video-platform';
import type { Config } from '../config.ts';
import type { Surface } from '../surface.ts';

export type Platform = {
  readonly discovery: Discovery;
  readonly dataApi: DataApi | null;
};

type Given = {
  readonly clock: () => Date;
  /** Counts a unit of the Data API before it is spent, for whoever asks. */
  readonly takeUnit: (payer: string | null) => Promise<void>;
};

/** The ways to the platform that are configured. */
export const openPlatform = (
  { db, onStop }: Pick<Kit<Surface>, 'db' | 'onStop'>,
  { platformOrigin, proxyUrls, proxyBytes, dataApiOrigin, dataApiKey }: Config,
  { clock, takeUnit }: Given,
): Platform => {
  const discovery = createDiscovery({
    origin: platformOrigin,
    egresses: egressesOf(proxyUrls),
    budget: sqlByteBudget(db, proxyBytes),
    clock,
  });
  onStop('video platform', () => discovery.close());
  const key = dataApiKey?.reveal();
  const traced = withSpans('platform', discovery);
  if (key === undefined) return { discovery: traced, dataApi: null };
  const dataApi = createDataApi({
    origin: dataApiOrigin,
    key,
    takeUnit,
    clock,
  });
  onStop('data api', () => dataApi.close());
  return { discovery: traced, dataApi: withSpans('platform data-api', dataApi) };
};

export {
  type BudgetDatabase,
  type ByteBudget,
  type BytesPerDay,
  memoryByteBudget,
  proxyByteFields,
  proxyBytesOf,
  sqlByteBudget,
} from './budget.ts';
export { defaultLimits, type Limits } from './config/limits.ts';
export { defaultStrategies, type Strategy, strategy as strategySchema } from './config/strategies.ts';
export { createDiscovery, type DiscoveryOptions } from './discovery/create-discovery.ts';
export { createDataApi, DATA_API_PAGE, type DataApiOptions } from './discovery/data-api.ts';
export type {
  DataApi,
  Discovery,
  Feed,
  FeedEntry,
  FeedRead,
  ListedVideo,
  Page,
  SearchAsked,
  SearchItem,
  SearchType,
  SeenVideo,
} from './discovery/types.ts';
export {
  type Fact,
  factTtlSeconds,
  isDurableVideoFact,
  PlatformError,
} from './errors/platform-error.ts';
export {
  type CaptionReader,
  type CaptionReading,
  costlyCaptions,
  cuesOf,
} from './timedtext/read-captions.ts';
export { chooseTrack } from './tracks/choose-track.ts';
export { egressesOf } from './transport/egresses.ts';
export type {
  AttemptRecord,
  Broadcast,
  Call,
  Egress,
  PlatformTrack,
  PoTokenProvider,
  RouteCheck,
  StrategyHealth,
  TrackChoice,
  VideoInspection,
  VideoPlatformOptions,
} from './types.ts';
export type { VideoPlatform } from './video-platform.ts';
export { createVideoPlatform } from './video-platform.ts';

export { CANARY_CALLER, sqlByteBudget } from './budget.ts';
export { defaultLimits, type Limits } from './config/limits.ts';
export { defaultStrategies, type Strategy } from './config/strategies.ts';
export { openStrategies, type StrategySource } from './config/strategy-file.ts';
export { readTokenSettings, type TokenSettings, tokenFields } from './config/token-fields.ts';
export { createDiscovery, type Discovery } from './discovery/create-discovery.ts';
export { createDataApi, DATA_API_PAGE, type DataApi } from './discovery/data-api.ts';
export type {
  Feed,
  FeedResult,
  ListedVideo,
  Page,
  SearchItem,
  SeenVideo,
} from './discovery/types.ts';
export { type Fact, PlatformError } from './errors/platform-error.ts';
export { createRecentOutcomes, type OutcomeCounts, type RecentOutcomes } from './recent-outcomes.ts';
export { wordlessYetError } from './serving/evidence.ts';
export { type PlatformSettings, platformFields, readPlatformSettings } from './settings/platform-fields.ts';
export { toPlatformOptions } from './settings/platform-options.ts';
export {
  type CaptionReader,
  type CaptionReading,
  costlyCaptions,
  readCues,
} from './timedtext/read-captions.ts';
export { createPoTokens, type PoTokens, tokenOutcomes } from './tokens/po-tokens.ts';
export { chooseTrack } from './tracks/choose-track.ts';
export { sameLanguage } from './tracks/language.ts';
export { checkExit, type ExitCheck, type ExitProblem } from './transport/check-exit.ts';
export { isRotating } from './transport/session-pool.ts';
export type {
  Call,
  PlatformTrack,
  RouteCheck,
  TrackChoice,
  VideoInspection,
  VideoPlatformOptions,
} from './types.ts';
export { createVideoPlatform, type VideoPlatform } from './video-platform.ts';

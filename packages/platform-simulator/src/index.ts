export { channelVideoIds, expectedCues } from './catalogue/catalogue.ts';
export type { Cue } from './catalogue/cues.ts';
export { LOAD_VIDEO_COUNT, loadVideoId } from './catalogue/load-video.ts';
export type { FaultInput, FaultName } from './faults/fault.ts';
export type { RequestCounts } from './server/request-log.ts';
export type { Expectation, Outcome, SpecialVideo } from './special/special-video.ts';
export { specialVideos } from './special/special-videos.ts';
export {
  type PlatformSimulator,
  type PlatformSimulatorOptions,
  startPlatformSimulator,
} from './start-platform-simulator.ts';

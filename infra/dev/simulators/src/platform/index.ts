export { DEFAULT_SEED, LOAD_VIDEO_COUNT, loadVideoId } from './catalogue/catalogue.ts';
export { type Channel, channelAt, type Playlist, playlistsOf } from './catalogue/channels.ts';
export { WORD_OF_NOTHING } from './catalogue/find-by-words.ts';
export { GIANT_VIDEO_COUNT, giantChannel, giantVideoId } from './catalogue/giant-channel.ts';
export { MIXED_PLAYLIST_ID } from './catalogue/video-lists.ts';
export type { FaultInput, FaultName } from './faults/fault.ts';
export {
  type Expectation,
  type Outcome,
  specialVideos,
  specialVideosMarkdown,
} from './special-videos.ts';
export {
  type PlatformSimulator,
  startPlatformSimulator,
} from './start-platform-simulator.ts';

export type { ReadCaptions, ReadTrack } from './captions.ts';
export { type PlayerAnswer, readPlayer } from './read-player.ts';
export { extractPlayerJson, PLAYER_MARK } from './watch-page.ts';

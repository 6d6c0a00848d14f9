import { DEFAULT_SEED, findTrack, findVideo } from '../catalogue/catalogue.ts';
import { channelAt, uploadsOf } from '../catalogue/channels.ts';
import { type Cue, nativeCues, translateCues } from '../catalogue/cues.ts';
import type { TrackKind } from '../catalogue/video.ts';

/** The video ids of a channel (0 to 39), newest first. @throws RangeError for another number. */
export const channelVideoIds = (channelIndex: number, seed = DEFAULT_SEED): string[] => {
  const channel = channelAt(channelIndex, seed);
  if (!channel) throw new RangeError(`no channel ${channelIndex}`);
  return uploadsOf(channel, seed);
};

/**
 * The cues that a correct reader gets for a track, in milliseconds and in order of time.
 * @throws RangeError if there is no such video or track.
 */
export const expectedCues = (
  videoId: string,
  languageCode: string,
  kind: TrackKind,
  translateTo?: string,
  { seed = DEFAULT_SEED, trackName = '' }: { seed?: number; trackName?: string } = {},
): Cue[] => {
  const video = findVideo(videoId, seed);
  const track = video && findTrack(video, languageCode, kind, trackName);
  if (!track) throw new RangeError(`no ${kind} track ${languageCode} in ${videoId}`);
  const cues = nativeCues(video, track, seed);
  return translateTo === undefined ? cues : translateCues(cues, translateTo);
};

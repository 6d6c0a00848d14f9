import type { CaptionReader } from './timedtext/read-captions.ts';
import type { Call, RouteCheck, StrategyHealth, TrackChoice, VideoInspection } from './types.ts';

export interface VideoPlatform {
  /**
   * Asks what captions a video has; asks further strategies if `wanted` needs a translation that the first does not list.
   * @throws PlatformError
   */
  inspectVideo(videoId: string, wanted: { readonly language: string }, call: Call): Promise<VideoInspection>;
  /**
   * Downloads a chosen track of an inspection that this same object made, and gives what `read` makes of it: `cuesOf`, or a
   * reader that does large ones elsewhere. @throws PlatformError, never a fact about the video.
   */
  fetchTrack<Value>(
    inspection: VideoInspection,
    choice: TrackChoice,
    call: Call,
    read: CaptionReader<Value>,
  ): Promise<Value>;
  /** The UTC day on which a video was published, of which most clients say nothing; null where it is not told within `limits.dateMs`. */
  publishedOn(videoId: string, call: Call): Promise<string | null>;
  /** Fetches the captions of a known video through every route for itself, at the same time; one that fails fails none of the others. */
  checkRoutes(
    videoId: string,
    wanted: { readonly language: string },
    call: Call,
  ): Promise<readonly RouteCheck[]>;
  strategyHealth(): readonly StrategyHealth[];
  close(): Promise<void>;
}

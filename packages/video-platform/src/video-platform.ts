import { ServiceError } from '@tds/errors';
import { guarded } from './errors/platform-error.ts';
import { findPublishDate } from './serving/ask-player.ts';
import { createEngine, type Engine, type Route } from './serving/engine.ts';
import { fetchTrack } from './serving/fetch-track.ts';
import { inspectVideo } from './serving/inspect-video.ts';
import { type CaptionReader, readCues } from './timedtext/read-captions.ts';
import { chooseTrack } from './tracks/choose-track.ts';
import type {
  Call,
  RouteCheck,
  StrategyHealth,
  TrackChoice,
  VideoInspection,
  VideoPlatformOptions,
} from './types.ts';

type LanguageOptions = { readonly language: string };

export interface VideoPlatform {
  /**
   * Asks what captions a video has; asks further strategies if `languageOptions` needs a translation that the first does not list.
   * @throws PlatformError
   */
  inspectVideo(videoId: string, languageOptions: LanguageOptions, call: Call): Promise<VideoInspection>;
  /**
   * Downloads a chosen track of an inspection that this same object made, and returns the result of `read`: `readCues`, or a reader that
   * moves large bodies to a thread. @throws PlatformError: `no_captions` for a track without a word, else no fact about the video.
   */
  fetchTrack<Value>(
    inspection: VideoInspection,
    choice: TrackChoice,
    call: Call,
    read: CaptionReader<Value>,
  ): Promise<Value>;
  /** The UTC day on which a video was published; null if no answer comes within `limits.dateMs`. */
  findPublishDate(videoId: string, call: Call): Promise<string | null>;
  /**
   * Fetches the captions of a known video through each route of an exit, all at the same time and independently. What a route says
   * against it is no statement about other videos from then on, until it serves a known video.
   */
  checkRoutes(
    exit: string,
    videoId: string,
    languageOptions: LanguageOptions,
    call: Call,
  ): Promise<readonly RouteCheck[]>;
  strategyHealth(): readonly StrategyHealth[];
  close(): Promise<void>;
}

/** The error code; null if captions came. */
const tryRoute = async (engine: Engine, videoId: string, languageOptions: LanguageOptions, call: Call) => {
  try {
    await guarded(async () => {
      const inspection = await inspectVideo(engine, videoId, languageOptions, call);
      const choice = chooseTrack(inspection, { ...languageOptions, fallback: true });
      await fetchTrack(engine, inspection, choice, call, readCues);
    });
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
};

/** Asks each route as if there were no other. Circuits and the byte budget count these requests as usual. */
const checkRoutes = (
  engine: Engine,
  exit: string,
  videoId: string,
  languageOptions: LanguageOptions,
  call: Call,
): Promise<readonly RouteCheck[]> =>
  Promise.all(
    engine.routes
      .filter((route) => route.exit.name === exit)
      .map(async (route: Route) => ({
        strategy: route.strategy.name,
        exit: route.exit.name,
        code: await tryRoute(
          { ...engine, asksKnownVideo: true, routes: [route] },
          videoId,
          languageOptions,
          call,
        ),
      })),
  );

/** Opens the adapter: connections per exit, health per strategy and exit. The connections keep the process alive until `close`. */
export const createVideoPlatform = (options: VideoPlatformOptions): VideoPlatform => {
  const engine = createEngine(options);
  return {
    inspectVideo: (videoId, languageOptions, call) =>
      guarded(() => inspectVideo(engine, videoId, languageOptions, call)),
    fetchTrack: (inspection, choice, call, read) =>
      guarded(() => fetchTrack(engine, inspection, choice, call, read)),
    findPublishDate: (videoId, call) => findPublishDate(engine, videoId, call),
    checkRoutes: (exit, videoId, languageOptions, call) =>
      guarded(() => checkRoutes(engine, exit, videoId, languageOptions, call)),
    strategyHealth: () => engine.routes.map((route) => route.health()),
    async close() {
      await Promise.all(engine.exits.map((exit) => exit.sessions.close()));
    },
  };
};

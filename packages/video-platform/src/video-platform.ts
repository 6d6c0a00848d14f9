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
      .map(async (route: Route) => {
        const alone = { ...engine, asksKnownVideo: true, routes: [route] };
        const code = await tryRoute(alone, videoId, languageOptions, call);
        return { strategy: route.strategy.name, exit: route.exit.name, code };
      }),
  );

/** Opens the adapter: connections per exit, health per strategy and exit. The connections keep the process alive until `close`. */
export const createVideoPlatform = (options: VideoPlatformOptions) => {
  const engine = createEngine(options);
  return {
    /**
     * Asks what captions a video has; asks further strategies if `languageOptions` needs a translation that the first does not list.
     * @throws PlatformError
     */
    inspectVideo: (videoId: string, languageOptions: LanguageOptions, call: Call): Promise<VideoInspection> =>
      guarded(() => inspectVideo(engine, videoId, languageOptions, call)),
    /**
     * Downloads a chosen track of an inspection that this same object made, and returns the result of `read`: `readCues`, or a reader that
     * moves large bodies to a thread. @throws PlatformError: `no_captions` for a track without a word, else no fact about the video.
     */
    fetchTrack: <Value>(
      inspection: VideoInspection,
      choice: TrackChoice,
      call: Call,
      read: CaptionReader<Value>,
    ): Promise<Value> => guarded(() => fetchTrack(engine, inspection, choice, call, read)),
    /** The UTC day on which a video was published; null if no answer comes within `limits.dateMs`. */
    findPublishDate: (videoId: string, call: Call) => findPublishDate(engine, videoId, call),
    /**
     * Fetches the captions of a known video through each route of an exit, all at the same time and independently. What a route says
     * against it is no statement about other videos from then on, until it serves a known video.
     */
    checkRoutes: (exit: string, videoId: string, languageOptions: LanguageOptions, call: Call) =>
      guarded(() => checkRoutes(engine, exit, videoId, languageOptions, call)),
    strategyHealth: (): readonly StrategyHealth[] => engine.routes.map((route) => route.health()),
    async close(): Promise<void> {
      await Promise.all(engine.exits.map((exit) => exit.close()));
    },
  };
};
export type VideoPlatform = ReturnType<typeof createVideoPlatform>;

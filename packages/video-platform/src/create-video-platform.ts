import { checkRoutes } from './serving/check-routes.ts';
import { createEngine } from './serving/engine.ts';
import { fetchTrack } from './serving/fetch-track.ts';
import { guarded } from './serving/guarded.ts';
import { inspectVideo } from './serving/inspect-video.ts';
import { publishedOn } from './serving/published-on.ts';
import type { VideoPlatformOptions } from './types.ts';
import type { VideoPlatform } from './video-platform.ts';

/** Opens the adapter: connections per egress, health per strategy and egress. Close it to let the process end. */
export const createVideoPlatform = (options: VideoPlatformOptions): VideoPlatform => {
  const engine = createEngine(options);
  return {
    inspectVideo: (videoId, wanted, call) => guarded(() => inspectVideo(engine, videoId, wanted, call)),
    fetchTrack: (inspection, choice, call, read) =>
      guarded(() => fetchTrack(engine, inspection, choice, call, read)),
    publishedOn: (videoId, call) => publishedOn(engine, videoId, call),
    checkRoutes: (videoId, wanted, call) => guarded(() => checkRoutes(engine, videoId, wanted, call)),
    strategyHealth: () => engine.routes.map((route) => route.health()),
    async close() {
      const dispatchers = new Set(engine.routes.map((route) => route.egress.dispatcher));
      await Promise.all([...dispatchers].map((dispatcher) => dispatcher.destroy()));
    },
  };
};

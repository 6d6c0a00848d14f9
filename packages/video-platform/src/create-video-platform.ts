import { ServiceError } from '@tds/contracts';
import { platformError } from './errors/platform-error.ts';
import { createEngine } from './serving/engine.ts';
import { fetchTrack } from './serving/fetch-track.ts';
import { inspectVideo } from './serving/inspect-video.ts';
import type { VideoPlatform, VideoPlatformOptions } from './types.ts';

/** Whatever nobody foresaw is the platform's unexpected answer: no raw error leaves the package. */
const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof ServiceError ? thrown : platformError('upstream_error', { cause: thrown });
  }
};

/** Opens the adapter: connections per exit, health per strategy and exit. Close it to let the process end. */
export const createVideoPlatform = (options: VideoPlatformOptions): VideoPlatform => {
  const engine = createEngine(options);
  return {
    inspectVideo: (videoId, wanted, call) => guarded(() => inspectVideo(engine, videoId, wanted, call)),
    fetchTrack: (inspection, choice, call) => guarded(() => fetchTrack(engine, inspection, choice, call)),
    strategyHealth: () => engine.routes.map((route) => route.health()),
    async close() {
      const dispatchers = new Set(engine.routes.map((route) => route.exit.dispatcher));
      await Promise.all([...dispatchers].map((dispatcher) => dispatcher.destroy()));
    },
  };
};

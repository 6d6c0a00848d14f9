import type { Call } from '../types.ts';
import { askPlayer } from './ask-player.ts';
import { withinCall } from './call-bounds.ts';
import { type Engine, planRoutes } from './engine.ts';

/**
 * The UTC day on which a video was published, from the first healthy client that tells it. Null where it is not told in time: nothing
 * depends on it so much that anybody would wait, or that another client would be asked.
 */
export const publishedOn = (engine: Engine, videoId: string, call: Call): Promise<string | null> =>
  withinCall(call, engine.limits.dateMs, async (signal) => {
    const asked = { videoId, callerId: call.callerId ?? null };
    const { routes } = await planRoutes(engine, asked.callerId);
    const route = routes.find(({ strategy, player }) => strategy.tellsDate && player.isReady());
    if (route === undefined) return null;
    const answer = await askPlayer(engine, route, asked, signal);
    return answer?.kind === 'ok' ? answer.value.video.published_at : null;
  });

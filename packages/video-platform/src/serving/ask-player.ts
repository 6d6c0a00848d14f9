import type { Attempt } from '../classification/attempt-result.ts';
import type { Asked } from '../health/monitored-circuit.ts';
import type { Route } from '../health/route.ts';
import { playerRequest } from '../player/player-request.ts';
import { type PlayerAnswer, readPlayer } from '../player/read-player.ts';
import { playerJsonOf } from '../player/watch-page.ts';
import { attempt } from './attempt.ts';
import type { Engine } from './engine.ts';
import { tokenFor } from './token.ts';

/** Asks one route about a video; null where its circuit is open. */
export const askPlayer = (
  engine: Engine,
  route: Route,
  asked: Asked,
  signal: AbortSignal,
): Promise<Attempt<PlayerAnswer> | null> =>
  route.player.run({ ...asked, signal }, async (turn) => {
    const { videoId } = asked;
    const { strategy } = route;
    const isPage = strategy.endpoint === 'watch_page';
    const token = strategy.needs === 'po_token' ? await tokenFor(engine, route, videoId, turn.signal) : null;
    return attempt(engine, {
      route,
      endpoint: isPage ? 'watch_page' : 'player',
      videoId,
      request: playerRequest(strategy, videoId, engine.limits, token),
      isTranslation: false,
      ...turn,
      read(body) {
        const value = readPlayer(isPage ? playerJsonOf(body) : body, videoId, engine.clock());
        return { value, omitted: value.captions.omitted };
      },
    });
  });

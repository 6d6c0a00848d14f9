import type { Limits } from '../config/limits.ts';
import type { Strategy } from '../config/strategies.ts';
import type { HttpRequest } from '../transport/exchange.ts';
import { innertubeRequest, LANGUAGE } from '../transport/innertube-request.ts';

const asked = (videoId: string) => ({ videoId, contentCheckOk: true, racyCheckOk: true });

const watchPage = (strategy: Strategy, videoId: string, capBytes: number): HttpRequest => ({
  method: 'GET',
  path: `/watch?v=${videoId}&hl=${LANGUAGE}&gl=${strategy.gl}&bpctr=9999999999&has_verified=1`,
  headers: { 'accept-language': LANGUAGE, ...strategy.headers },
  capBytes,
});

/** The request by which a strategy asks about a video. `poToken` only where the player call itself wants one. */
export const playerRequest = (
  strategy: Strategy,
  videoId: string,
  limits: Limits,
  poToken: string | null,
): HttpRequest => {
  const token = poToken === null ? {} : { serviceIntegrityDimensions: { poToken } };
  switch (strategy.endpoint) {
    case 'player':
      return innertubeRequest(
        strategy,
        '/youtubei/v1/player?prettyPrint=false',
        { ...asked(videoId), ...token },
        limits.playerBytes,
      );
    case 'reel':
      return innertubeRequest(
        strategy,
        `/youtubei/v1/reel/reel_item_watch?prettyPrint=false&id=${videoId}&$fields=playerResponse`,
        { playerRequest: { ...asked(videoId), ...token }, disablePlayerResponse: false },
        limits.playerBytes,
      );
    case 'watch_page':
      return watchPage(strategy, videoId, limits.watchBytes);
  }
};

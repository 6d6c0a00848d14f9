import type { Limits } from '../config/limits.ts';
import type { Strategy } from '../config/strategies.ts';
import type { HttpRequest } from '../transport/exchange.ts';

const LANGUAGE = 'en';

const context = (strategy: Strategy) => ({
  client: {
    ...strategy.context,
    clientName: strategy.client,
    clientVersion: strategy.clientVersion,
    // Reasons and track names follow hl, and the classification reads English.
    hl: LANGUAGE,
    gl: strategy.gl,
  },
});

const asked = (videoId: string) => ({ videoId, contentCheckOk: true, racyCheckOk: true });

const innertube = (strategy: Strategy, path: string, body: object, capBytes: number): HttpRequest => ({
  method: 'POST',
  path,
  headers: {
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-language': LANGUAGE,
    'x-youtube-client-name': String(strategy.clientNumber),
    'x-youtube-client-version': strategy.clientVersion,
    ...strategy.headers,
  },
  body: JSON.stringify({ context: context(strategy), ...body }),
  capBytes,
});

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
      return innertube(
        strategy,
        '/youtubei/v1/player?prettyPrint=false',
        { ...asked(videoId), ...token },
        limits.playerBytes,
      );
    case 'reel':
      return innertube(
        strategy,
        `/youtubei/v1/reel/reel_item_watch?prettyPrint=false&id=${videoId}&$fields=playerResponse`,
        { playerRequest: { ...asked(videoId), ...token }, disablePlayerResponse: false },
        limits.playerBytes,
      );
    case 'watch_page':
      return watchPage(strategy, videoId, limits.watchBytes);
  }
};

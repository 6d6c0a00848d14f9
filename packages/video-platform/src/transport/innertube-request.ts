import type { Strategy } from '../config/strategies.ts';
import type { HttpRequest } from './exchange.ts';

export const LANGUAGE = 'en';

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

/** A call of the platform's JSON interface as one of its own clients makes it. */
export const innertubeRequest = (
  strategy: Strategy,
  path: string,
  body: object,
  capBytes: number,
): HttpRequest => ({
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

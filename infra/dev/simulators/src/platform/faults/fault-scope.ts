import type { ClientName } from '../wire/clients.ts';
import { hasConsent } from '../wire/pages.ts';
import type { Endpoint, FaultName } from './fault.ts';

/** What is known of a request when it comes in. */
export type PlatformRequest = {
  endpoint: Endpoint;
  client: ClientName;
  videoId: string;
  /** The channel or playlist of a feed; empty for the others. */
  sourceId: string;
  /** Asks for a translation. */
  translated: boolean;
  /** Comes with a token for this video. */
  hasToken: boolean;
  cookie: string | undefined;
  parameters: URLSearchParams;
  /** What a JSON request asks for, beside a video. */
  body: RequestBody;
  /** What of the Data API; empty for the others. */
  resource: string;
};

export type RequestBody = {
  readonly query?: string | undefined;
  readonly params?: string | undefined;
  readonly continuation?: string | undefined;
  readonly browseId?: string | undefined;
  readonly url?: string | undefined;
};

const playerPages: readonly Endpoint[] = ['player', 'watch'];
const everyVideoEndpoint: readonly Endpoint[] = ['player', 'watch', 'timedtext'];
const dataApiOnly: readonly Endpoint[] = ['data_api'];
const feedsOnly: readonly Endpoint[] = ['feed'];
const captionsOnly: readonly Endpoint[] = ['timedtext'];
const tokensOnly: readonly Endpoint[] = ['get_pot'];

/** The endpoints that a fault hits if it names none. */
const usualEndpoints: Partial<Record<FaultName, readonly Endpoint[]>> = {
  block: playerPages,
  captcha: playerPages,
  try_again_later: playerPages,
  unknown_status: playerPages,
  no_playability_status: playerPages,
  wrong_video: playerPages,
  translation_too_many_requests: captionsOnly,
  empty: captionsOnly,
  garbage: captionsOnly,
  refused_token: tokensOnly,
  quota_exceeded: dataApiOnly,
  not_found: feedsOnly,
  hostile_xml: feedsOnly,
};

/** A request that carries this is not hit. */
const sparedBy: Partial<Record<FaultName, (request: PlatformRequest) => boolean>> = {
  consent: (request) => hasConsent(request.cookie),
  token_required: (request) => request.hasToken,
  translation_too_many_requests: (request) => !request.translated,
};

type Aim = {
  videoId?: string | undefined;
  sourceId?: string | undefined;
  client?: ClientName | undefined;
  endpoint?: Endpoint | undefined;
};

/** Whether a fault aimed like that hits this request. */
export const hits = (fault: FaultName, aim: Aim, request: PlatformRequest): boolean => {
  if (aim.videoId !== undefined && aim.videoId !== request.videoId) return false;
  if (aim.sourceId !== undefined && aim.sourceId !== request.sourceId) return false;
  if (aim.client !== undefined && aim.client !== request.client) return false;
  const usual = aim.sourceId === undefined ? (usualEndpoints[fault] ?? everyVideoEndpoint) : feedsOnly;
  const places = aim.endpoint ? [aim.endpoint] : usual;
  return places.includes(request.endpoint) && !sparedBy[fault]?.(request);
};

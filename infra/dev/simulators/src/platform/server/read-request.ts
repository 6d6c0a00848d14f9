import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { Endpoint } from '../faults/fault.ts';
import type { PlatformRequest } from '../faults/fault-scope.ts';
import { clientOfEvent } from '../wire/caption-url.ts';
import { type ClientName, clientOf } from '../wire/clients.ts';
import { isTokenFor } from '../wire/po-token.ts';
import { type Answer, errorAnswer } from './answer.ts';

const BAD_REQUEST = 400;

const innertubeSchema = z.looseObject({
  context: z.looseObject({ client: z.looseObject({ clientName: z.union([z.string(), z.number()]) }) }),
  videoId: z.string().optional(),
  query: z.string().optional(),
  params: z.string().optional(),
  continuation: z.string().optional(),
  browseId: z.string().optional(),
  url: z.string().optional(),
});

const parseJson = (raw: string): unknown => {
  try {
    return JSON.parse(raw);
  } catch {
    // Not JSON: the schema refuses it below, in the platform's words.
    return undefined;
  }
};

const fromUrl = (
  endpoint: Endpoint,
  client: ClientName,
  parameters: URLSearchParams,
  request: IncomingMessage,
): PlatformRequest => ({
  endpoint,
  client,
  videoId: parameters.get('v') ?? '',
  sourceId: parameters.get('channel_id') ?? parameters.get('playlist_id') ?? '',
  translated: (parameters.get('tlang') ?? '') !== '',
  hasToken: isTokenFor(parameters.get('v') ?? '', parameters.get('pot') ?? ''),
  cookie: request.headers.cookie,
  parameters,
  body: {},
  resource: '',
});

const fromBody = async (
  endpoint: Endpoint,
  parameters: URLSearchParams,
  request: IncomingMessage,
): Promise<PlatformRequest | Answer> => {
  const body = innertubeSchema.safeParse(parseJson(await text(request)));
  const client = body.success ? clientOf(body.data.context.client.clientName) : undefined;
  if (!body.success || !client) return errorAnswer(BAD_REQUEST, 'Request contains an invalid argument.');
  return {
    ...fromUrl(endpoint, client, parameters, request),
    videoId: body.data.videoId ?? '',
    body: body.data,
  };
};

type Reader = (url: URL, request: IncomingMessage) => PlatformRequest | Promise<PlatformRequest | Answer>;

const tokenSchema = z.looseObject({ content_binding: z.string() });

const fromTokenRequest: Reader = async (url, request) => {
  const body = tokenSchema.safeParse(parseJson(await text(request)));
  return body.success
    ? { ...fromUrl('get_pot', 'WEB', url.searchParams, request), videoId: body.data.content_binding }
    : errorAnswer(BAD_REQUEST, 'Request has no content_binding.');
};

const fromDataApi =
  (resource: string): Reader =>
  (url, request) => ({ ...fromUrl('data_api', 'WEB', url.searchParams, request), resource });

/** A new endpoint of the platform is a row here, a name in `endpoints` and a writer of its right answer. */
const readers = new Map<string, Reader>([
  ['POST /youtubei/v1/player', (url, request) => fromBody('player', url.searchParams, request)],
  ['POST /youtubei/v1/visitor_id', (url, request) => fromBody('visitor_id', url.searchParams, request)],
  ['POST /youtubei/v1/search', (url, request) => fromBody('search', url.searchParams, request)],
  ['POST /youtubei/v1/browse', (url, request) => fromBody('browse', url.searchParams, request)],
  [
    'POST /youtubei/v1/navigation/resolve_url',
    (url, request) => fromBody('resolve_url', url.searchParams, request),
  ],
  ['GET /youtube/v3/playlistItems', fromDataApi('playlistItems')],
  ['GET /youtube/v3/videos', fromDataApi('videos')],
  ['POST /get_pot', fromTokenRequest],
  ['GET /ping', (url, request) => fromUrl('ping', 'WEB', url.searchParams, request)],
  ['GET /feeds/videos.xml', (url, request) => fromUrl('feed', 'WEB', url.searchParams, request)],
  ['GET /watch', (url, request) => fromUrl('watch', 'WEB', url.searchParams, request)],
  [
    'GET /api/timedtext',
    (url, request) =>
      fromUrl('timedtext', clientOfEvent(url.searchParams.get('ei') ?? '') ?? 'WEB', url.searchParams, request),
  ],
]);

const EMBED = /^\/embed\/([\w-]{11})$/;

/** What a request asks the platform for; an answer if it cannot be understood; undefined for other paths. */
export const readPlatformRequest = async (
  url: URL,
  request: IncomingMessage,
): Promise<PlatformRequest | Answer | undefined> => {
  const [, videoId] = EMBED.exec(url.pathname) ?? [];
  if (videoId) return { ...fromUrl('embed', 'WEB', url.searchParams, request), videoId };
  return readers.get(`${request.method} ${url.pathname}`)?.(url, request);
};

import type { Video } from '../catalogue/video.ts';
import type { PlatformRequest } from '../faults/fault-scope.ts';
import { takePage } from '../wire/list-page.ts';
import { readToken, writeToken } from '../wire/page-token.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import type { Simulation } from './simulation.ts';

const MAX = 50;
const DEFAULT_RESULTS = 5;

const refusal = (code: number, status: string, reason: string, message: string): Answer =>
  jsonAnswer(
    { error: { code, message, errors: [{ message, domain: 'youtube.common', reason }], status } },
    code,
  );

/** The day's units of the key are used up. */
export const quotaExceeded = (): Answer =>
  refusal(
    403,
    'RESOURCE_EXHAUSTED',
    'quotaExceeded',
    'The request cannot be completed because you have exceeded your quota.',
  );

const isoDuration = (seconds: number): string => `PT${Math.floor(seconds / 60)}M${seconds % 60}S`;

const wholeSeconds = (date: string): string => `${date.slice(0, '2026-10-31T00:00:00'.length)}Z`;

const snippet = (video: Video) => ({
  publishedAt: wholeSeconds(video.publishedAt),
  channelId: video.channel.id,
  title: video.title,
  description: video.description,
  thumbnails: { high: { url: `https://i.ytimg.com/vi/${video.id}/hqdefault.jpg`, width: 480, height: 360 } },
  channelTitle: video.channel.title,
});

const readPageSize = (parameters: URLSearchParams): number =>
  Math.min(Number(parameters.get('maxResults') ?? DEFAULT_RESULTS) || DEFAULT_RESULTS, MAX);

const playlistItems = ({ content }: Simulation, parameters: URLSearchParams): Answer => {
  const list = content.list(parameters.get('playlistId') ?? '');
  if (!list) return refusal(404, 'NOT_FOUND', 'playlistNotFound', 'The playlist cannot be found.');
  const pageToken = parameters.get('pageToken');
  const token = pageToken === null ? { kind: 'list', of: list.id, from: 0 } : readToken(pageToken);
  if (token?.kind !== 'list' || token.of !== list.id) {
    return refusal(400, 'INVALID_ARGUMENT', 'invalidPageToken', 'The request specifies an invalid page token.');
  }
  const size = readPageSize(parameters);
  const { videos, next } = takePage(list, token.from, size, content.video);
  return jsonAnswer({
    kind: 'youtube#playlistItemListResponse',
    ...(next === undefined ? {} : { nextPageToken: writeToken({ kind: 'list', of: list.id, from: next }) }),
    // Like the real one it counts videos that no page shows.
    pageInfo: { totalResults: list.length, resultsPerPage: size },
    items: videos.map(({ video, place }) => ({
      kind: 'youtube#playlistItem',
      snippet: {
        ...snippet(video),
        playlistId: list.id,
        position: place,
        resourceId: { kind: 'youtube#video', videoId: video.id },
      },
      contentDetails: { videoId: video.id, videoPublishedAt: wholeSeconds(video.publishedAt) },
    })),
  });
};

const isPublic = (video: Video): boolean => !video.playability['*']?.hidesDetails;

const videos = ({ content }: Simulation, parameters: URLSearchParams): Answer => {
  const ids = (parameters.get('id') ?? '').split(',');
  if (ids.length > MAX) return refusal(400, 'INVALID_ARGUMENT', 'invalidFilters', 'Too many ids.');
  const results = ids.map(content.video).filter((video) => video !== undefined);
  return jsonAnswer({
    kind: 'youtube#videoListResponse',
    items: results.filter(isPublic).map((video) => ({
      kind: 'youtube#video',
      id: video.id,
      snippet: snippet(video),
      contentDetails: { duration: isoDuration(video.lengthSeconds) },
    })),
    pageInfo: { totalResults: results.length, resultsPerPage: results.length },
  });
};

/** The Data API; without a key it refuses. */
export const dataApiAnswer = (simulation: Simulation, { parameters, resource }: PlatformRequest): Answer => {
  if (!parameters.get('key'))
    return refusal(403, 'PERMISSION_DENIED', 'forbidden', 'The request is missing a valid API key.');
  return resource === 'videos' ? videos(simulation, parameters) : playlistItems(simulation, parameters);
};

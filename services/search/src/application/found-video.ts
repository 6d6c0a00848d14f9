import {
  CACHED_HINTS_WAIT_MS,
  type FoundVideo,
  MAX_RESOLVED_VIDEOS,
  MAX_THUMBNAIL_LENGTH,
  type ReplyOf,
  transcriptFetcher,
} from '@tds/contracts';
import { ServiceError } from '@tds/errors';
import type { Context } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import type { ListedRow } from '../domain/listing.ts';

type CachedVideo = ReplyOf<typeof transcriptFetcher.findCachedVideos>['cached'][number];
/** Cached videos by id. */
export type CachedVideos = ReadonlyMap<string, Omit<CachedVideo, 'id'>>;

const noVideos: CachedVideos = new Map();

/** Which of at most 500 videos are cached. A hint: empty if the fetcher does not answer soon. */
export async function findCached(
  { call }: Deps,
  videoIds: readonly string[],
  { requestId, accountId, signal, record }: Context,
): Promise<CachedVideos> {
  if (videoIds.length === 0) return noVideos;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(CACHED_HINTS_WAIT_MS)]);
  const request = { videoIds: videoIds.slice(0, MAX_RESOLVED_VIDEOS) };
  try {
    const { cached } = await call(transcriptFetcher.findCachedVideos, request, {
      requestId,
      accountId,
      signal: deadline,
    });
    return new Map(cached.map(({ id, ...facts }) => [id, facts]));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    record.add({ cachedHints: error.code });
    return noVideos;
  }
}

/** The same form on every route. */
export const publishedDay = (at: string | null): string | null => at?.slice(0, 'YYYY-MM-DD'.length) ?? null;

/** The platform's picture of every video. */
const pictureOf = (id: string): string => `https://i.ytimg.com/vi/${id}/hqdefault.jpg`;

const isShown = (url: string | null): url is string => url !== null && url.length <= MAX_THUMBNAIL_LENGTH;

/** A video as callers see it. A cached one has the date of its transcript. */
export const toFoundVideo = (row: ListedRow, cached: CachedVideos): FoundVideo => ({
  video_id: row.id,
  title: row.title,
  published_at: cached.get(row.id)?.published_at ?? publishedDay(row.publishedAt),
  duration: row.durationSeconds,
  thumbnail_url: isShown(row.thumbnailUrl) ? row.thumbnailUrl : pictureOf(row.id),
  is_short: row.isShort,
  cached: cached.has(row.id),
  original_language: cached.get(row.id)?.original_language ?? null,
});

import { CACHED_HINTS_WAIT_MS, MOST_RESOLVED_VIDEOS, ServiceError, transcriptFetcher } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

/** By id, their dates as their transcripts say them. */
export type CachedVideos = ReadonlyMap<string, string | null>;

const nothing: CachedVideos = new Map();

/** Which of at most 500 videos are in the shared cache. A hint: where it cannot be had soon, none are said to be. */
export async function cachedAmong(
  { call }: Deps,
  videoIds: readonly string[],
  { requestId, accountId, signal, record }: Context,
): Promise<CachedVideos> {
  if (videoIds.length === 0) return nothing;
  const soon = AbortSignal.any([signal, AbortSignal.timeout(CACHED_HINTS_WAIT_MS)]);
  const asked = { videoIds: videoIds.slice(0, MOST_RESOLVED_VIDEOS) };
  try {
    const { cached } = await call(transcriptFetcher.findCachedVideos, asked, {
      requestId,
      accountId,
      signal: soon,
    });
    return new Map(cached.map(({ id, published_at }) => [id, published_at]));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    record.add({ cachedHints: error.code });
    return nothing;
  }
}

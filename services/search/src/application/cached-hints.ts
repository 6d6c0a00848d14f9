import { MOST_RESOLVED_VIDEOS, ServiceError, transcriptFetcher } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';

const PATIENCE_MS = 1_000;
const nothing: ReadonlySet<string> = new Set();

/** Which of at most 500 videos are in the shared cache. A hint: where it cannot be had soon, none are said to be. */
export async function cachedAmong(
  { call }: Deps,
  videoIds: readonly string[],
  { requestId, accountId, signal, record }: Context,
): Promise<ReadonlySet<string>> {
  if (videoIds.length === 0) return nothing;
  const soon = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const asked = { videoIds: videoIds.slice(0, MOST_RESOLVED_VIDEOS) };
  try {
    const { cached } = await call(transcriptFetcher.findCachedVideos, asked, {
      requestId,
      accountId,
      signal: soon,
    });
    return new Set(cached);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    record.add({ cachedHints: error.code });
    return nothing;
  }
}

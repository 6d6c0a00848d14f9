import { createBackoff, pauseFor } from '@tds/base';
import { LISTING_PAGE, type ListingPage, MAX_LISTED_VIDEOS, type RequestOf, search } from '@tds/contracts';
import { hasCode, ServiceError, serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Context } from '@tds/messaging';
import { type CachedVideos, findCached, toFoundVideo } from '../application/found-video.ts';
import { findOrStartListing } from '../application/listing-for.ts';
import { resolveChannel } from '../application/resolve-channel.ts';
import type { Deps } from '../deps.ts';
import { freshMs, hasPage, type ListedRow, type Listing, nextOffset } from '../domain/listing.ts';
import { belongsTo, channelSource, readSource, type Source } from '../domain/source.ts';
import { findListing, readRows } from '../store/listings.ts';
import { findKnownVideos, useVideoList } from '../store/videos.ts';

const POLL_PAUSES = { firstMs: 20, maxMs: 400 };

/**
 * Waits until a page is complete and returns the listing; null after the wait. Another process may be making it, so this polls its row,
 * ever more rarely. Throws the error of a failed listing.
 */
async function awaitPage(
  { db }: Deps,
  listing: Listing,
  offset: number,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<Listing | null> {
  const endsAt = performance.now() + waitMs;
  let current: Listing | null = listing;
  const backoff = createBackoff(POLL_PAUSES);
  for (;;) {
    if (current?.error) throw new ServiceError(current.error);
    if (current === null || hasPage(current, offset, LISTING_PAGE)) return current;
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0 || signal.aborted) return null;
    await pauseFor(Math.min(backoff.nextMs(), leftMs), signal);
    current = await findListing(db, listing.id);
  }
}

type ListRequest = RequestOf<typeof search.listVideos>;

/** The rows of one page, and their listing. */
type PageRows = {
  readonly rows: readonly ListedRow[];
  readonly rowCount: number;
  readonly omitted: number;
  readonly isComplete: boolean;
  readonly listedAt: Date;
  /** Milliseconds in which new walks get the same listing, so that answers can be cached. */
  readonly freshForMs: number;
};

const findSource = async (deps: Deps, { input, accountId }: ListRequest, context: Context) => {
  const source = readSource(input);
  return source.kind === 'channel_name'
    ? channelSource(await resolveChannel(deps, source.name, accountId, context))
    : source;
};

const readListRows = async ({ db, now }: Deps, key: string, { contents, offset }: ListRequest) => {
  const videoIds = await useVideoList(db, key, now());
  if (videoIds === null) throw serviceError('selection_expired');
  const videos = await findKnownVideos(db, videoIds);
  const all = videoIds.map(
    (id) =>
      videos.get(id) ?? {
        id,
        title: null,
        publishedAt: null,
        durationSeconds: null,
        thumbnailUrl: null,
        isShort: false,
      },
  );
  const rows = all.filter((row) => belongsTo(contents, row));
  return {
    rows: rows.slice(offset, offset + LISTING_PAGE),
    rowCount: rows.length,
    omitted: 0,
    isComplete: true,
    listedAt: now(),
    freshForMs: 0,
  };
};

/** Waits for a page. If a joined listing fails because its account has no units left, starts it with ours. */
const awaitListing = async (deps: Deps, playlistId: string, request: ListRequest, { signal }: Context) => {
  const { contents, offset, waitMs } = request;
  const source = { playlistId, contents };
  const { listing, isJoined } = await findOrStartListing(deps, request, source, request);
  const wait = (current: Listing) => awaitPage(deps, current, offset, { waitMs, signal });
  try {
    return await wait(listing);
  } catch (error) {
    const isForeign = isJoined && hasCode(error, 'data_api_unit_cap');
    if (!isForeign) throw error;
    return wait((await findOrStartListing(deps, request, source, request)).listing);
  }
};

const readListingRows = async (deps: Deps, playlistId: string, request: ListRequest, context: Context) => {
  const { offset } = request;
  const listing = await awaitListing(deps, playlistId, request, context);
  if (listing === null) return null;
  const rows = await readRows(deps.db, listing.id, offset, LISTING_PAGE);
  const isComplete = listing.state === 'complete';
  const freshForMs = isComplete ? freshMs(listing, deps.now(), deps.listingFreshMs) : 0;
  const { rowCount, omitted, createdAt: listedAt } = listing;
  return { rows, rowCount, omitted, isComplete, listedAt, freshForMs };
};

const toPage = (
  { kind, id }: Source,
  { contents, offset }: ListRequest,
  { rows, rowCount, omitted, isComplete, listedAt, freshForMs }: PageRows,
  cached: CachedVideos,
): ListingPage & { readonly freshForMs: number } => ({
  state: 'page',
  source: { kind, id },
  contents,
  offset,
  videos: rows.map((row, index) => ({ position: offset + index, ...toFoundVideo(row, cached) })),
  counts: { listed: rows.length, cold: rows.filter(({ id: videoId }) => !cached.has(videoId)).length },
  total: isComplete ? rowCount : null,
  omitted,
  next_offset: nextOffset(rowCount, offset, LISTING_PAGE, MAX_LISTED_VIDEOS),
  listed_at: listedAt.toISOString(),
  freshForMs,
});

export const listVideos = onCommand(search.listVideos, async (deps: Deps, request, context) => {
  const source = await findSource(deps, request, context);
  if (request.contents === 'streams' && source.kind !== 'channel')
    throw serviceError('invalid_contents', {
      message: 'streams are a list of a channel. Nothing says which videos of a playlist are streams.',
    });
  const rows =
    source.kind === 'list'
      ? await readListRows(deps, source.id, request)
      : await readListingRows(deps, source.playlistId, request, context);
  if (rows === null) return { state: 'pending' as const };
  const cached = await findCached(
    deps,
    rows.rows.map(({ id }) => id),
    context,
  );
  return toPage(source, request, rows, cached);
});

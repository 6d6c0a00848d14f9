import { type Call, PlatformError } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import type { ListedVideo } from '../domain/feed-entries.ts';
import { type ListProgress, playlistToRead, type Source } from '../domain/source.ts';

/** Pages of one check: some hundred videos. The next check reads on. */
const MAX_PAGES = 8;
/** The platform lists at most 20,000 videos, 100 a page; a list with more pages repeats them. */
const MAX_PAGES_PER_LIST = 400;
/** No page starts later than this, so that a slow platform does not outlast the lease. */
const READ_MS = 10_000;

type ListPosition = Pick<ListProgress, 'list_token' | 'list_pages'>;

type ListPart = {
  readonly videos: readonly ListedVideo[];
  /** Entries that could not be read. */
  readonly omitted: number;
  /** The list was read to its end, or far enough. */
  readonly isOver: boolean;
  /** Where the next check reads on. */
  readonly position: ListPosition;
  /** Why reading stopped early. */
  readonly error: PlatformError | null;
};

type ReadRequest = {
  readonly source: Source;
  readonly position: ListPosition;
  /** Whether nothing behind these videos is needed. */
  readonly isEnough: (videos: readonly ListedVideo[]) => Promise<boolean>;
};

type Platform = Deps['platform'];

/** Rethrows other errors. */
export const toPlatformError = (thrown: unknown): PlatformError => {
  if (thrown instanceof PlatformError) return thrown;
  throw thrown;
};

const isLastPage = (next: string | null, token: string | null, pages: number): boolean =>
  next === null || next === token || pages >= MAX_PAGES_PER_LIST;

/** Reads the list of a source on from a position. */
export const readList = async (
  platform: Pick<Platform, 'listPage'>,
  { source, position, isEnough }: ReadRequest,
  call: Call,
): Promise<ListPart> => {
  const endsAt = performance.now() + READ_MS;
  const videos: ListedVideo[] = [];
  let omitted = 0;
  let { list_token: token } = position;
  // From the beginning, the pages of the last reading do not count.
  let pages = token === null ? 0 : position.list_pages;
  const buildResult = (list_token: string | null, list_pages: number) => ({
    ...{ videos, omitted, position: { list_token, list_pages } },
    ...{ isOver: false, error: null },
  });
  for (let read = 0; read < MAX_PAGES && performance.now() < endsAt; read += 1) {
    const page = await platform.listPage(playlistToRead(source), token, call).catch(toPlatformError);
    // If the first page fails, the token may be the reason: start over.
    if (page instanceof PlatformError)
      return { ...(read === 0 ? buildResult(null, 0) : buildResult(token, pages)), error: page };
    // A token that leads nowhere proves nothing about the rest of the list.
    if (token !== null && page.items.length === 0 && page.omitted > 0) return buildResult(null, 0);
    videos.push(...page.items);
    omitted += page.omitted;
    pages += 1;
    if (isLastPage(page.next, token, pages) || (await isEnough(page.items)))
      return { ...buildResult(null, pages), isOver: true };
    token = page.next;
  }
  return buildResult(token, pages);
};

/** If the platform has no date for a video, the next ones are asked about. */
const MAX_NEIGHBOURS = 3;
const DATE_LENGTH = 'YYYY-MM-DD'.length;

type WithDate = Pick<ListedVideo, 'publishedAt'>;

export const isOlder = ({ publishedAt }: WithDate, newest: Date | null): boolean =>
  newest !== null && publishedAt !== null && new Date(publishedAt) <= newest;

/** Players have the day only. A video of the newest known day may be new: announce it rather than lose it. */
const isOfOlderDay = ({ publishedAt }: WithDate, newest: Date | null): boolean =>
  newest !== null &&
  publishedAt !== null &&
  publishedAt.slice(0, DATE_LENGTH) < newest.toISOString().slice(0, DATE_LENGTH);

/**
 * Splits a list, newest first, at the date of the newest known video. List entries have no dates, so it is a binary search with about
 * fifteen lookups. Throws what a lookup throws.
 */
export const splitByDate = async (
  platform: Pick<Platform, 'lookUpVideo'>,
  videos: readonly ListedVideo[],
  newest: Date | null,
  call: Call,
): Promise<{ readonly newVideos: readonly ListedVideo[]; readonly oldVideos: readonly ListedVideo[] }> => {
  /** Null if the platform has no date. */
  const isOldAt = async (from: number, to: number): Promise<boolean | null> => {
    for (const video of videos.slice(from, Math.min(to, from + MAX_NEIGHBOURS))) {
      if (video.publishedAt !== null) return isOlder(video, newest);
      const facts = await platform.lookUpVideo(video.id, call);
      if (facts?.publishedAt) return isOfOlderDay(facts, newest);
    }
    return null;
  };
  let [from, to] = newest === null ? [videos.length, videos.length] : [0, videos.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    // Undated videos count as old: they might be the whole past.
    if ((await isOldAt(middle, to)) === false) from = middle + 1;
    else to = middle;
  }
  return { newVideos: videos.slice(0, from), oldVideos: videos.slice(from) };
};

import type { Call, PlatformError } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { isFull, type ListedVideo, newInPlaylist, siftFeed, together } from '../domain/news.ts';
import {
  afterWholeList,
  hasOpenGap,
  type ListProgress,
  nothingToRead,
  type Source,
} from '../domain/source.ts';
import type { DueFeed } from '../store/feeds.ts';
import { findKnown, heldVideos, newestKnown } from '../store/videos.ts';
import { isOlder, platformErrorOf, readList, splitByDate } from './read-list.ts';

/** A feed at one check. */
export type FeedView = {
  readonly feed: DueFeed;
  readonly entries: readonly ListedVideo[];
  /** The ids among the entries that were seen before. */
  readonly known: ReadonlySet<string>;
};

/** The result of one check. All lists are newest first. */
export type News = {
  readonly fresh: readonly ListedVideo[];
  /** Seen for the first time, but not new. */
  readonly old: readonly ListedVideo[];
  /** Found in a gap that is not filled: new or old is decided when it is. */
  readonly held: readonly ListedVideo[];
  readonly progress: ListProgress;
  /** Why there may be more to find. */
  readonly failure: PlatformError | null;
};

type NewsDeps = Pick<Deps, 'db' | 'platform'>;

export const sourceOf = ({ kind, source_id: id }: DueFeed): Source => ({ kind, id });

const newsOf = (news: Partial<News> & Pick<News, 'progress'>): News => ({
  fresh: [],
  old: [],
  held: [],
  failure: null,
  ...news,
});

/** Reads the list up to the first known video. */
const readToKnown = async ({ db, platform }: NewsDeps, feed: DueFeed, call: Call) => {
  const isEnough = async (videos: readonly ListedVideo[]) => (await findKnown(db, feed.id, videos)).size > 0;
  const request = { source: sourceOf(feed), position: feed, isEnough };
  const { videos, ...part } = await readList(platform, request, call);
  const known = await findKnown(db, feed.id, videos);
  const end = videos.findIndex(({ id }) => known.has(id));
  return { ...part, unknown: end < 0 ? videos : videos.slice(0, end), meetsKnown: end >= 0 };
};

/** Reads the list on and holds what it finds. When it meets a known video, all held videos are new. */
const readGap = async (
  deps: NewsDeps,
  { feed, entries }: FeedView,
  newest: Date | null,
  call: Call,
): Promise<News> => {
  const { knows_list } = feed;
  const { unknown, isOver, meetsKnown, position, error } = await readToKnown(deps, feed, call);
  const isOpen = hasOpenGap(feed);
  const unseen = together(isOpen ? [] : entries, unknown);
  if (!isOver)
    return newsOf({ held: unseen, progress: { ...position, list_in: 0, knows_list }, failure: error });
  const found = isOpen ? together(await heldVideos(deps.db, feed.id), unseen) : unseen;
  const progress = nothingToRead(knows_list);
  if (meetsKnown || knows_list) return newsOf({ fresh: found, progress });
  try {
    // All known videos are gone from the list: the date decides.
    return newsOf({ ...(await splitByDate(deps.platform, found, newest, call)), progress });
  } catch (thrown) {
    const again = { list_in: 0, list_token: null, list_pages: 0, knows_list };
    return newsOf({ held: unseen, progress: again, failure: platformErrorOf(thrown) });
  }
};

/** Finds the new videos of a channel that has more of them than its feed shows: some pages of its list at each check. */
const fillGap = async (deps: NewsDeps, view: FeedView, call: Call): Promise<News> => {
  const { feed, entries } = view;
  const newest = await newestKnown(deps.db, feed.id);
  const old = entries.filter((entry) => isOlder(entry, newest));
  // Feeds are sorted by date: an entry older than a known video shows that the known one was deleted and that there is no gap.
  if (!hasOpenGap(feed) && !feed.knows_list && old.length > 0) {
    const fresh = entries.filter((entry) => !old.includes(entry));
    return newsOf({ fresh, old, progress: nothingToRead(feed.knows_list) });
  }
  return readGap(deps, view, newest, call);
};

/** Reads the list of a playlist if it is due. After a failure the next check reads on; the feed counts. */
const readPlaylistOn = async (
  { platform }: NewsDeps,
  { feed, entries }: FeedView,
  hasGap: boolean,
  call: Call,
): Promise<{ readonly listed: readonly ListedVideo[]; readonly progress: ListProgress }> => {
  const { knows_list, list_in, list_token, list_pages } = feed;
  if (!isFull(entries)) return { listed: [], progress: nothingToRead(knows_list) };
  const checksLeft = hasGap ? 0 : (list_in ?? 0);
  if (checksLeft > 0)
    return { listed: [], progress: { knows_list, list_in: checksLeft - 1, list_token, list_pages } };
  const request = { source: sourceOf(feed), position: feed, isEnough: async () => false };
  const { videos, omitted, isOver, position } = await readList(platform, request, call);
  // A list with unreadable entries is not known: when they can be read, they are not new.
  const whole = { ...afterWholeList(position.list_pages), knows_list: knows_list || omitted === 0 };
  const progress = isOver ? whole : { ...position, list_in: 0, knows_list };
  return { listed: videos, progress };
};

/**
 * Finds the new videos of a playlist at any position. The first complete reading of its list records what was there before; from
 * then on unknown videos are new.
 */
const newsOfPlaylist = async (
  deps: NewsDeps,
  view: FeedView,
  { fresh, movedUp, hasGap }: ReturnType<typeof siftFeed<ListedVideo>>,
  call: Call,
): Promise<News> => {
  const { feed, entries, known } = view;
  const { listed, progress } = await readPlaylistOn(deps, view, hasGap, call);
  const shown = together(entries, listed);
  const allKnown = new Set([...known, ...(await findKnown(deps.db, feed.id, listed))]);
  if (feed.knows_list) return newsOf({ fresh: newInPlaylist(shown, allKnown), old: movedUp, progress });
  const behind = shown.slice(entries.length).filter(({ id }) => !allKnown.has(id));
  return newsOf({ fresh, old: [...movedUp, ...behind], progress });
};

const findNewVideos = async (deps: NewsDeps, view: FeedView, call: Call): Promise<News> => {
  const { feed, entries, known } = view;
  const sifted = siftFeed(entries, known, feed.knows_list);
  if (feed.kind === 'playlist') return newsOfPlaylist(deps, view, sifted, call);
  if (hasOpenGap(feed) || sifted.hasGap) return fillGap(deps, view, call);
  return newsOf({ fresh: sifted.fresh, old: sifted.movedUp, progress: nothingToRead(feed.knows_list) });
};

/** A feed without watchers records all its videos as old: they are the baseline of its next monitor. */
const findBaseline = async (deps: NewsDeps, view: FeedView, call: Call): Promise<News> => {
  const { entries } = view;
  const feed = { ...view.feed, ...nothingToRead(false) };
  if (feed.kind === 'channel' || !isFull(entries))
    return newsOf({ old: entries, progress: nothingToRead(!isFull(entries)) });
  const { fresh, old, ...news } = await findNewVideos(deps, { ...view, feed }, call);
  return { ...news, fresh: [], old: [...fresh, ...old] };
};

export const findNews = (deps: NewsDeps, view: FeedView, call: Call): Promise<News> =>
  view.feed.watchers === 0 ? findBaseline(deps, view, call) : findNewVideos(deps, view, call);

import type { Call, PlatformError } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import {
  classifyEntries,
  findNewInPlaylist,
  isFull,
  type ListedVideo,
  mergeVideos,
} from '../domain/feed-entries.ts';
import { afterWholeList, hasOpenGap, type ListProgress, nothingToRead, type Source } from '../domain/source.ts';
import type { DueFeed } from '../store/feeds.ts';
import { findKnownIds, findNewestDate, readPendingVideos } from '../store/videos.ts';
import { isOlder, readList, splitByDate, toPlatformError } from './read-list.ts';

/** A feed at one check. */
type FeedView = {
  readonly feed: DueFeed;
  readonly entries: readonly ListedVideo[];
  /** The ids among the entries that were seen before. */
  readonly known: ReadonlySet<string>;
};

/** The result of one check. All lists are newest first. */
export type FeedChanges = {
  readonly newVideos: readonly ListedVideo[];
  /** Seen for the first time, but not new. */
  readonly oldVideos: readonly ListedVideo[];
  /** Found in a gap that is not filled: new or old is decided when it is. */
  readonly pendingVideos: readonly ListedVideo[];
  readonly progress: ListProgress;
  /** Why there may be more to find. */
  readonly failure: PlatformError | null;
};

export const sourceOf = ({ kind, source_id: id }: DueFeed): Source => ({ kind, id });

const toFeedChanges = (changes: Partial<FeedChanges> & Pick<FeedChanges, 'progress'>): FeedChanges => ({
  newVideos: [],
  oldVideos: [],
  pendingVideos: [],
  failure: null,
  ...changes,
});

/** Reads the list up to the first known video. */
const readUntilKnown = async ({ db, platform }: Deps, feed: DueFeed, call: Call) => {
  const isEnough = async (videos: readonly ListedVideo[]) => (await findKnownIds(db, feed.id, videos)).size > 0;
  const request = { source: sourceOf(feed), position: feed, isEnough };
  const { videos, ...part } = await readList(platform, request, call);
  const known = await findKnownIds(db, feed.id, videos);
  const end = videos.findIndex(({ id }) => known.has(id));
  return { ...part, unknown: end < 0 ? videos : videos.slice(0, end), reachedKnown: end >= 0 };
};

/** Reads the list on and holds what it finds. When it meets a known video, all held videos are new. */
const readGap = async (deps: Deps, { feed, entries }: FeedView, newest: Date | null, call: Call) => {
  const { knows_list } = feed;
  const { unknown, isOver, reachedKnown, position, error } = await readUntilKnown(deps, feed, call);
  const isOpen = hasOpenGap(feed);
  const unseen = mergeVideos(isOpen ? [] : entries, unknown);
  if (!isOver)
    return toFeedChanges({
      pendingVideos: unseen,
      progress: { ...position, list_in: 0, knows_list },
      failure: error,
    });
  const candidates = isOpen ? mergeVideos(await readPendingVideos(deps.db, feed.id), unseen) : unseen;
  const progress = nothingToRead(knows_list);
  if (reachedKnown || knows_list) return toFeedChanges({ newVideos: candidates, progress });
  try {
    // All known videos are gone from the list: the date decides.
    return toFeedChanges({ ...(await splitByDate(deps.platform, candidates, newest, call)), progress });
  } catch (thrown) {
    const restart = { list_in: 0, list_token: null, list_pages: 0, knows_list };
    return toFeedChanges({ pendingVideos: unseen, progress: restart, failure: toPlatformError(thrown) });
  }
};

/** Finds the new videos of a channel that has more of them than its feed shows: some pages of its list at each check. */
const fillGap = async (deps: Deps, view: FeedView, call: Call) => {
  const { feed, entries } = view;
  const newest = await findNewestDate(deps.db, feed.id);
  const oldVideos = entries.filter((entry) => isOlder(entry, newest));
  // Feeds are sorted by date: an entry older than a known video shows that the known one was deleted and that there is no gap.
  if (!hasOpenGap(feed) && !feed.knows_list && oldVideos.length > 0) {
    const newVideos = entries.filter((entry) => !oldVideos.includes(entry));
    return toFeedChanges({ newVideos, oldVideos, progress: nothingToRead(feed.knows_list) });
  }
  return readGap(deps, view, newest, call);
};

/** Reads the list of a playlist if it is due. After a failure the next check reads on; the feed counts. */
const continuePlaylist = async (
  { platform }: Deps,
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
const findPlaylistChanges = async (
  deps: Deps,
  view: FeedView,
  { newVideos, movedUp, hasGap }: ReturnType<typeof classifyEntries<ListedVideo>>,
  call: Call,
) => {
  const { feed, entries, known } = view;
  const { listed, progress } = await continuePlaylist(deps, view, hasGap, call);
  const allVideos = mergeVideos(entries, listed);
  const allKnown = new Set([...known, ...(await findKnownIds(deps.db, feed.id, listed))]);
  if (feed.knows_list)
    return toFeedChanges({ newVideos: findNewInPlaylist(allVideos, allKnown), oldVideos: movedUp, progress });
  const behind = allVideos.slice(entries.length).filter(({ id }) => !allKnown.has(id));
  return toFeedChanges({ newVideos, oldVideos: [...movedUp, ...behind], progress });
};

const findNewVideos = async (deps: Deps, view: FeedView, call: Call) => {
  const { feed, entries, known } = view;
  const classified = classifyEntries(entries, known, feed.knows_list);
  if (feed.kind === 'playlist') return findPlaylistChanges(deps, view, classified, call);
  if (hasOpenGap(feed) || classified.hasGap) return fillGap(deps, view, call);
  return toFeedChanges({
    newVideos: classified.newVideos,
    oldVideos: classified.movedUp,
    progress: nothingToRead(feed.knows_list),
  });
};

/** A feed without watchers records all its videos as old: they are the baseline of its next monitor. */
const findBaseline = async (deps: Deps, view: FeedView, call: Call) => {
  const { entries } = view;
  const feed = { ...view.feed, ...nothingToRead(false) };
  if (feed.kind === 'channel' || !isFull(entries))
    return toFeedChanges({ oldVideos: entries, progress: nothingToRead(!isFull(entries)) });
  const { newVideos, oldVideos, ...changes } = await findNewVideos(deps, { ...view, feed }, call);
  return { ...changes, newVideos: [], oldVideos: [...newVideos, ...oldVideos] };
};

export const findFeedChanges = (deps: Deps, view: FeedView, call: Call): Promise<FeedChanges> =>
  view.feed.watchers === 0 ? findBaseline(deps, view, call) : findNewVideos(deps, view, call);

/** As many videos as a feed shows at most. */
export const FEED_SIZE = 15;

/** A video as a feed or a list shows it. */
export type ListedVideo = {
  readonly id: string;
  readonly title: string | null;
  readonly publishedAt: string | null;
};

/** Whether the source may have more videos than these entries of its feed. */
export const isFull = (entries: readonly unknown[]): boolean => entries.length >= FEED_SIZE;

type WithId = { readonly id: string };

type ClassifiedEntries<Video> = {
  readonly newVideos: readonly Video[];
  /** Unknown but old: they moved up because other videos were deleted. */
  readonly movedUp: readonly Video[];
  /** None of the entries is known, so there may be more new videos than the feed shows. */
  readonly hasGap: boolean;
};

/** Finds the new videos of a feed. Unless the whole list is known, unknown entries behind the last known one have moved up. */
export const classifyEntries = <Video extends WithId>(
  entries: readonly Video[],
  known: ReadonlySet<string>,
  knowsList: boolean,
): ClassifiedEntries<Video> => {
  const lastKnown = entries.findLastIndex(({ id }) => known.has(id));
  const isNew = (index: number) => lastKnown < 0 || knowsList || index < lastKnown;
  const unknown = (expected: boolean) =>
    entries.filter(({ id }, index) => !known.has(id) && isNew(index) === expected);
  return { newVideos: unknown(true), movedUp: unknown(false), hasGap: lastKnown < 0 && isFull(entries) };
};

/** Both lists in order. A video that stands in them twice is kept where it stands first. */
export const mergeVideos = <Video extends WithId>(
  first: readonly Video[],
  second: readonly Video[],
): readonly Video[] => {
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !ids.has(id) && ids.add(id))];
};

/** The new videos of a fully known playlist: those above the first known one as they stand, then those below from the last up. */
export const findNewInPlaylist = <Video extends WithId>(
  videos: readonly Video[],
  known: ReadonlySet<string>,
): readonly Video[] => {
  const firstKnown = videos.findIndex(({ id }) => known.has(id));
  const top = firstKnown < 0 ? videos.length : firstKnown;
  const below = videos.slice(top).filter(({ id }) => !known.has(id));
  return [...videos.slice(0, top), ...below.toReversed()];
};

/** Whether a video is out yet; `hidden` if it is private or for members, `unknown` if the platform did not answer. */
export type Release = 'out' | 'upcoming' | 'hidden' | 'unknown';

/** A number for a video that is new and out; otherwise perhaps when to ask again. */
export type VideoNumber = { readonly number: number | null; readonly askInMs: number | null };

type FeedVideos = {
  /** New videos, newest first. */
  readonly newVideos: readonly ListedVideo[];
  readonly oldVideos: readonly ListedVideo[];
  /** Known ids of videos that were not out at the last check. */
  readonly upcoming: readonly string[];
  readonly releases: ReadonlyMap<string, Release>;
};

type NumberedVideos = {
  readonly released: readonly (WithId & VideoNumber & { readonly isHidden: boolean })[];
  readonly added: readonly (ListedVideo & VideoNumber)[];
  readonly lastNumber: number;
};

/**
 * Numbers new videos without gaps, oldest first. A video that comes out now is newer than those that were out before. If the lookup
 * of a new video failed, it counts as out: its job handles live broadcasts.
 */
export const numberVideos = (
  { newVideos, oldVideos, upcoming, releases }: FeedVideos,
  lastNumber: number,
  askInMs: number,
): NumberedVideos => {
  let last = lastNumber;
  const number = (isOut: boolean): VideoNumber => {
    if (!isOut) return { number: null, askInMs };
    last += 1;
    return { number: last, askInMs: null };
  };
  const released = upcoming.map((id) => {
    const release = releases.get(id);
    return { id, ...number(release === 'out'), isHidden: release === 'hidden' };
  });
  const added = newVideos
    .toReversed()
    .map((video) => ({ ...video, ...number(!['upcoming', 'hidden'].includes(releases.get(video.id) ?? '')) }));
  const unnumbered = oldVideos.map((video) => ({ ...video, number: null, askInMs: null }));
  return { released, added: [...unnumbered, ...added], lastNumber: last };
};

import type { Call } from '@tds/video-platform';
import { together } from '../domain/sift.ts';
import { atRest, hasOpenGap } from '../domain/walk.ts';
import { heldVideos } from '../store/held-videos.ts';
import { type Entry, knownOf, newestKnown } from '../store/videos.ts';
import type { Looked, News, Parts } from './news.ts';
import { isOlder, splitByDate } from './split-by-date.ts';
import { platformErrorOf, walkList } from './walk-list.ts';

/** What is not known of a list, down to the first that is. */
const unknownPart = async ({ db, platform }: Parts, { feed, source }: Looked, call: Call) => {
  const isEnough = async (rows: readonly Entry[]) => (await knownOf(db, feed.id, rows)).size > 0;
  const { rows, ...walked } = await walkList({ platform }, { source, from: feed, isEnough }, call);
  const known = await knownOf(db, feed.id, rows);
  const end = rows.findIndex(({ id }) => known.has(id));
  return { ...walked, rows: end < 0 ? rows : rows.slice(0, end), hasAnchor: end >= 0 };
};

/** Reads the list on, and holds what is found, until it meets what is known: all of it is news then, the oldest first. */
const readListOn = async (parts: Parts, looked: Looked, newest: Date | null, call: Call): Promise<News> => {
  const { feed, entries } = looked;
  const { knows_list } = feed;
  const { rows, isOver, hasAnchor, from, error } = await unknownPart(parts, looked, call);
  const isOpen = hasOpenGap(feed);
  const unseen = together(isOpen ? [] : entries, rows);
  if (!isOver)
    return { fresh: [], old: [], held: unseen, walk: { ...from, list_in: 0, knows_list }, failure: error };
  const found = isOpen ? together(await heldVideos(parts.db, feed.id), unseen) : unseen;
  if (hasAnchor || knows_list)
    return { fresh: found, old: [], held: [], walk: atRest(knows_list), failure: null };
  try {
    // Nothing that was known is left: what is younger than all of that is new.
    const split = await splitByDate(parts, found, newest, call);
    return { ...split, held: [], walk: atRest(knows_list), failure: null };
  } catch (thrown) {
    const again = { list_in: 0, list_token: null, list_pages: 0, knows_list };
    return { fresh: [], old: [], held: unseen, walk: again, failure: platformErrorOf(thrown) };
  }
};

/**
 * What came to a channel before the 15 that its feed shows, some pages of its list a look. What the feed shows meanwhile is looked
 * at when the gap is filled.
 */
export const fillGap = async (parts: Parts, looked: Looked, call: Call): Promise<News> => {
  const { feed, entries } = looked;
  const { knows_list } = feed;
  const newest = await newestKnown(parts.db, feed.id);
  const old = entries.filter((entry) => isOlder(entry, newest));
  // Feeds are sorted by date: where an entry is older than what was known, that was deleted, and nothing is between them.
  if (!hasOpenGap(feed) && !knows_list && old.length > 0) {
    const fresh = entries.filter((entry) => !old.includes(entry));
    return { fresh, old, held: [], walk: atRest(knows_list), failure: null };
  }
  return readListOn(parts, looked, newest, call);
};

import type { Call } from '@tds/video-platform';
import { together } from '../domain/sift.ts';
import { atRest, hasOpenGap } from '../domain/walk.ts';
import { heldVideos } from '../store/held-videos.ts';
import { type Entry, knownOf, newestKnown } from '../store/videos.ts';
import type { Looked, News, Parts } from './news.ts';
import { walkList } from './walk-list.ts';

/** Nothing that was known is left: what is younger than all of that is new. */
const byDate = (found: readonly Entry[], newest: Date | null) => {
  const isNew = ({ publishedAt }: Entry) =>
    newest === null || (publishedAt !== null && new Date(publishedAt) > newest);
  return { fresh: found.filter(isNew), old: found.filter((entry) => !isNew(entry)) };
};

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
  const sifted = hasAnchor || knows_list ? { fresh: found, old: [] } : byDate(found, newest);
  return { ...sifted, held: [], walk: atRest(knows_list), failure: null };
};

/**
 * What came to a channel before the 15 that its feed shows, some pages of its list a look. What the feed shows meanwhile is looked
 * at when the gap is filled.
 */
export const fillGap = async (parts: Parts, looked: Looked, call: Call): Promise<News> => {
  const { feed, entries } = looked;
  const { knows_list } = feed;
  const newest = await newestKnown(parts.db, feed.id);
  const sifted = byDate(entries, newest);
  // Feeds are sorted by date: where an entry is older than what was known, that was deleted, and nothing is between them.
  if (!hasOpenGap(feed) && !knows_list && sifted.old.length > 0)
    return { ...sifted, held: [], walk: atRest(knows_list), failure: null };
  return readListOn(parts, looked, newest, call);
};

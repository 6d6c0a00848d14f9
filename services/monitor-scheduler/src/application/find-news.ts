import type { Call } from '@tds/video-platform';
import { isFull, newInPlaylist, siftFeed, together } from '../domain/sift.ts';
import { afterWholeList, atRest, hasOpenGap, type Walk } from '../domain/source.ts';
import { type Entry, heldVideos, knownOf, newestKnown } from '../store/videos.ts';
import type { Looked, News, Parts } from './news.ts';
import { isOlder, platformErrorOf, splitByDate, walkList } from './read-list.ts';

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
const fillGap = async (parts: Parts, looked: Looked, call: Call): Promise<News> => {
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

/** `known` of its feed, which is sifted; `hasGap`: that is nothing. */
type Sifted = Looked & {
  readonly known: ReadonlySet<string>;
  readonly found: News;
  readonly hasGap: boolean;
};
type Read = { readonly rows: readonly Entry[]; readonly walk: Walk };

const wholeList = async () => false;

/** What the list has behind the feed, if it is time to read it. One that fails is read on by the next look: the feed is what counts. */
const readBehind = async (
  parts: Parts,
  { feed, source, entries, hasGap }: Sifted,
  call: Call,
): Promise<Read> => {
  const { knows_list, list_in, list_token, list_pages } = feed;
  if (!isFull(entries)) return { rows: [], walk: atRest(knows_list) };
  const looksLeft = hasGap ? 0 : (list_in ?? 0);
  if (looksLeft > 0)
    return { rows: [], walk: { knows_list, list_in: looksLeft - 1, list_token, list_pages } };
  const { rows, isOver, from } = await walkList(parts, { source, from: feed, isEnough: wholeList }, call);
  return { rows, walk: isOver ? afterWholeList(from.list_pages) : { ...from, list_in: 0, knows_list } };
};

/**
 * What a playlist holds, wherever its owner puts it: its feed shows the first 15. Read whole for the first time, that is what was
 * there before; from then on what is unknown is new.
 */
const newsOfPlaylist = async (parts: Parts, sifted: Sifted, call: Call): Promise<News> => {
  const { feed, entries, known, found } = sifted;
  const { rows, walk } = await readBehind(parts, sifted, call);
  const shown = together(entries, rows);
  const allKnown = new Set([...known, ...(await knownOf(parts.db, feed.id, rows))]);
  if (feed.knows_list) return { ...found, fresh: newInPlaylist(shown, allKnown), walk };
  const behind = shown.slice(entries.length).filter(({ id }) => !allKnown.has(id));
  return { ...found, old: [...found.old, ...behind], walk };
};

/** What is new among what a source shows, and in its list, where that may hold more. */
const search = async (parts: Parts, looked: Looked, call: Call): Promise<News> => {
  const { feed, entries, known } = looked;
  const { fresh, movedUp, hasGap } = siftFeed(entries, known, feed.knows_list);
  const found = { fresh, old: movedUp, held: [], walk: atRest(feed.knows_list), failure: null };
  if (feed.kind === 'playlist') return newsOfPlaylist(parts, { ...looked, found, hasGap }, call);
  return hasOpenGap(feed) || hasGap ? fillGap(parts, looked, call) : found;
};

/** What nobody watches has no news: whoever begins to, begins with what it shows. */
const baselineOf = async (parts: Parts, looked: Looked, call: Call): Promise<News> => {
  const { entries } = looked;
  const feed = { ...looked.feed, ...atRest(false) };
  if (feed.kind === 'channel' || !isFull(entries))
    return { fresh: [], old: entries, held: [], walk: atRest(!isFull(entries)), failure: null };
  const { fresh, old, ...news } = await search(parts, { ...looked, feed }, call);
  return { ...news, fresh: [], old: [...fresh, ...old] };
};

export const findNews = (parts: Parts, looked: Looked, call: Call): Promise<News> =>
  looked.feed.watchers === 0 ? baselineOf(parts, looked, call) : search(parts, looked, call);

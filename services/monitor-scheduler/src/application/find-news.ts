import type { Call } from '@tds/video-platform';
import type { Deps } from '../deps.ts';
import { siftFeed } from '../domain/sift.ts';
import { listOf, type Source } from '../domain/source.ts';
import type { DueFeed } from '../store/feeds.ts';
import { type Entry, knownAmong, knowsAny, newestKnown } from '../store/videos.ts';

/** Of a list, when what a feed does not show is looked for: some hundred videos. */
const MOST_PAGES = 8;

/** All newest first. `old` was never seen, and is no news. */
export type News = { readonly fresh: readonly Entry[]; readonly old: readonly Entry[] };

type Parts = Pick<Deps, 'db' | 'platform'>;
export type Looked = { readonly feed: DueFeed; readonly source: Source; readonly entries: readonly Entry[] };

/** The videos of the list before the first that is known; null where none is known. */
const listedBeforeKnown = async (
  { db, platform }: Parts,
  { feed, source }: Looked,
  call: Call,
): Promise<{ readonly rows: Entry[]; readonly meetsKnown: boolean }> => {
  const rows: Entry[] = [];
  let token: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { items, next } = await platform.listPage(listOf(source), token, call);
    const ids = items.map(({ id }) => id);
    const known = await knownAmong(db, feed.id, ids);
    const firstKnown = ids.findIndex((id) => known.has(id));
    rows.push(...items.slice(0, firstKnown < 0 ? undefined : firstKnown));
    if (firstKnown >= 0) return { rows, meetsKnown: true };
    if (next === null || next === token) break;
    token = next;
  }
  return { rows, meetsKnown: false };
};

const together = (first: readonly Entry[], second: readonly Entry[]): Entry[] => {
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !ids.has(id))];
};

/** Nothing that was known is left of a channel: what is younger than all of that is new. A playlist is another one then. */
const withoutAnchor = async ({ db }: Parts, { feed, entries }: Looked): Promise<News> => {
  const newest = feed.kind === 'channel' ? await newestKnown(db, feed.id) : null;
  const isNew = ({ publishedAt }: Entry) =>
    newest === null || (publishedAt !== null && new Date(publishedAt) > newest);
  return { fresh: entries.filter(isNew), old: entries.filter((entry) => !isNew(entry)) };
};

const fillGap = async (parts: Parts, looked: Looked, call: Call): Promise<News> => {
  const { rows, meetsKnown } = await listedBeforeKnown(parts, looked, call);
  const isFirst = !(await knowsAny(parts.db, looked.feed.id));
  if (!meetsKnown && !isFirst) return withoutAnchor(parts, looked);
  return { fresh: together(looked.entries, rows), old: [] };
};

/** What is new among what a source shows; what more than it shows may have come is looked for in the list. Throws if that fails. */
export const findNews = async (parts: Parts, looked: Looked, call: Call): Promise<News> => {
  const { feed, entries } = looked;
  const known = await knownAmong(
    parts.db,
    feed.id,
    entries.map(({ id }) => id),
  );
  const { fresh, movedUp, hasGap } = siftFeed(entries, known, feed.is_full);
  // What nobody watches has no news: whoever begins to, begins with what it shows.
  if (feed.watchers === 0) return { fresh: [], old: [...fresh, ...movedUp] };
  return hasGap ? fillGap(parts, looked, call) : { fresh, old: movedUp };
};

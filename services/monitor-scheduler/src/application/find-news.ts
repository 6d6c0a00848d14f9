import type { Call } from '@tds/video-platform';
import { isFull, siftFeed } from '../domain/sift.ts';
import { atRest, hasOpenGap } from '../domain/walk.ts';
import { fillGap } from './fill-gap.ts';
import type { Looked, News, Parts } from './news.ts';
import { newsOfPlaylist } from './news-of-playlist.ts';

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

import type { Call } from '@tds/video-platform';
import { isFull, newInPlaylist, together } from '../domain/sift.ts';
import { afterWholeList, atRest, type Walk } from '../domain/walk.ts';
import { type Entry, knownOf } from '../store/videos.ts';
import type { Looked, News, Parts } from './news.ts';
import { walkList } from './walk-list.ts';

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
export const newsOfPlaylist = async (parts: Parts, sifted: Sifted, call: Call): Promise<News> => {
  const { feed, entries, known, found } = sifted;
  const { rows, walk } = await readBehind(parts, sifted, call);
  const shown = together(entries, rows);
  const allKnown = new Set([...known, ...(await knownOf(parts.db, feed.id, rows))]);
  if (feed.knows_list) return { ...found, fresh: newInPlaylist(shown, allKnown), walk };
  const behind = shown.slice(entries.length).filter(({ id }) => !allKnown.has(id));
  return { ...found, old: [...found.old, ...behind], walk };
};

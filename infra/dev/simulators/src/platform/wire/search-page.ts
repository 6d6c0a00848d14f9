import { z } from 'zod';
import { findVideo } from '../catalogue/catalogue.ts';
import type { Channel } from '../catalogue/channels.ts';
import { findChannels, findPlaylists, findVideoIds, WORD_OF_NOTHING } from '../catalogue/find-by-words.ts';
import { below } from './page-texts.ts';
import { continuationItem } from './page-token.ts';
import * as entry from './search-entries.ts';

export const searchSchema = z.object({
  query: z.string(),
  type: z.enum(['video', 'channel', 'playlist', 'all']),
  channelId: z.string().nullable(),
});
export type Search = z.infer<typeof searchSchema>;

const PAGE = 20;
const MAX_RESULTS = 110;
const SHELF = 3;

const findVideos = (ids: readonly string[], seed: number) =>
  ids.flatMap((id) => {
    const video = findVideo(id, seed);
    return video ? [video] : [];
  });

const findEntries = (search: Search, channel: Channel | undefined, seed: number): object[] => {
  if (search.query.includes(WORD_OF_NOTHING)) return [];
  if (search.type === 'channel') return findChannels(search.query, seed).map(entry.channelEntry);
  if (search.type === 'playlist') {
    return findPlaylists(search.query, seed).map((playlist) => entry.playlistEntry(playlist, playlist.owner));
  }
  return findVideos(findVideoIds(search.query, channel, MAX_RESULTS, seed), seed).map(entry.videoEntry);
};

/** What stands between the results of a page and is none of them. */
const buildShelves = (search: Search, from: number, seed: number): object[] => {
  const shelfVideos = findVideos(findVideoIds(`${search.query} shelf ${from}`, undefined, SHELF, seed), seed);
  const station = { id: 'RDsimulatedStation', title: 'A station', channelIndex: 0, playlistIndex: 0 };
  return [
    ...(from === 0 ? entry.notices : []),
    entry.shelf('Latest from a channel', shelfVideos),
    entry.shortsShelf(shelfVideos),
    entry.malformedVideo,
    entry.playlistEntry({ ...station, videoCount: 1 }, 'A radio', 'LOCKUP_CONTENT_TYPE_STATION'),
    entry.shelf('People also watched', shelfVideos),
  ];
};

/** The sections of one page: results with shelves in between, and the token of the page after. */
export const searchSections = (
  search: Search,
  channel: Channel | undefined,
  from: number,
  seed: number,
): object[] => {
  const entries = findEntries(search, channel, seed);
  const results = entries.slice(from, from + PAGE);
  if (results.length === 0) return [{ itemSectionRenderer: { contents: [entry.noResults] } }];
  const [first = {}, ...rest] = results;
  const contents = [first, ...buildShelves(search, from, seed), ...rest];
  const next = from + PAGE;
  const hasMore = next < entries.length + PAGE && next < MAX_RESULTS;
  const token = { kind: 'search' as const, of: JSON.stringify(search), from: next };
  return [{ itemSectionRenderer: { contents } }, ...(hasMore ? [continuationItem(token)] : [])];
};

export const firstSearchPage = (contents: object[]) =>
  below('contents.twoColumnSearchResultsRenderer.primaryContents.sectionListRenderer', { contents });

export const nextSearchPage = (continuationItems: object[]) =>
  below('onResponseReceivedCommands.[].appendContinuationItemsAction', { continuationItems });

/** The search tab of a channel's page. */
export const channelSearchPage = (contents: object[]) =>
  below('contents.twoColumnBrowseResultsRenderer', {
    tabs: [
      { tabRenderer: { title: 'Home' } },
      { expandableTabRenderer: { title: 'Search', content: { sectionListRenderer: { contents } } } },
    ],
  });

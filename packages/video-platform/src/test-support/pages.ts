import { readListing } from '../discovery/listing.ts';
import { readSearch } from '../discovery/search.ts';

export const ID = 'abcdefghij0';
export const CHANNEL = `UC${'a'.repeat(22)}`;
export const text = (content: string) => ({ content });
export const browse = (...sections: readonly object[]) => ({
  contents: {
    twoColumnBrowseResultsRenderer: {
      tabs: [
        { tabRenderer: { title: 'About' } },
        { tabRenderer: { content: { sectionListRenderer: { contents: sections } } } },
      ],
    },
  },
});
export const section = (...contents: readonly object[]) => ({ itemSectionRenderer: { contents } });
export const playlist = (contents: readonly unknown[], more: object = {}) =>
  section({ playlistVideoListRenderer: { contents, ...more } });
export const video = (videoId = ID) => ({ playlistVideoRenderer: { videoId, title: { simpleText: 'T' } } });
export const list = (answer: object) => readListing(JSON.stringify(answer));
export const findItem = (entry: object) =>
  readSearch(
    JSON.stringify({ onResponseReceivedCommands: [{ append: { continuationItems: [entry] } }] }),
    'video',
  ).items[0];

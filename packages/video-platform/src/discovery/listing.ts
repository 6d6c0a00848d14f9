import { parseAnswer } from '../reading/index.ts';
import { type Entry, type ReadItem, readPage } from './page-entries.ts';
import { readOtherEntry } from './search.ts';
import type { ListedVideo, Page } from './types.ts';
import { readVideoEntry } from './video-entries.ts';
import { refuseErrorAlerts } from './web-pages.ts';

const readEntry = (entry: Entry): ReadItem<ListedVideo> => {
  const video = readVideoEntry(entry);
  // Channels and playlists among the videos are suggestions.
  if (video === undefined) return readOtherEntry(entry) === 'unreadable' ? 'unreadable' : null;
  if (video === null || video === 'unreadable') return video;
  const { id, title, durationSeconds, thumbnailUrl, isShort } = video;
  return { id, title, publishedAt: null, durationSeconds, thumbnailUrl, isShort };
};

/** Reads one page of a playlist; null if it has no list. Throws if it says that its source is gone. */
export const readListing = (body: string): Page<ListedVideo> | null => {
  const answer: unknown = parseAnswer(body);
  refuseErrorAlerts(answer);
  return readPage(answer, readEntry);
};

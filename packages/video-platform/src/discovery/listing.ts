import { broken, RefusedAnswer } from '../classification/refusal.ts';
import { bounds } from '../config/limits.ts';
import { each, inside, listInside, parseAnswer } from '../tolerant.ts';
import { lockupSeconds, lockupThumbnail, lockupTitle } from './search.ts';
import type { ListedVideo, Page } from './types.ts';
import {
  continuedItems,
  nextTokenIn,
  type ReadItem,
  refuseErrorAlerts,
  textAt,
  thumbnailAt,
  toPage,
  validVideoId,
  wholeNumber,
} from './web-pages.ts';

const LISTS = ['playlistVideoListRenderer', 'richGridRenderer'] as const;

const contentsOf = (holders: readonly unknown[]): readonly unknown[] =>
  holders.flatMap((holder) => listInside(holder, ['contents'], bounds.items));

/** The entries of a playlist page, of a channel's tab, or of a continuation; null if there is no list. */
const entriesOf = (answer: unknown): readonly unknown[] | null => {
  const continued = continuedItems(answer);
  if (continued !== null) return continued;
  const tabs = listInside(answer, ['contents', 'twoColumnBrowseResultsRenderer', 'tabs']);
  const contents = each(each(tabs, 'tabRenderer'), 'content');
  const sections = contents.flatMap((content) =>
    listInside(content, ['sectionListRenderer', 'contents'], bounds.items),
  );
  // Newer pages have the videos in the section itself; an empty one has a message there.
  const direct = contentsOf(each(sections, 'itemSectionRenderer'));
  const inSections = direct.flatMap((entry) => LISTS.flatMap((name) => each([entry], name)));
  const lists = [...each(contents, 'richGridRenderer'), ...inSections];
  if (lists.length > 0) return contentsOf(lists);
  return sections.length > 0 ? direct : null;
};

const isShortMark = (video: unknown): boolean =>
  listInside(video, ['thumbnailOverlays']).some(
    (overlay) => inside(overlay, 'thumbnailOverlayTimeStatusRenderer', 'style') === 'SHORTS',
  );

const readPlaylistVideo = (video: unknown): ReadItem<ListedVideo> => {
  const id = validVideoId(inside(video, 'videoId'));
  if (id === null) return 'malformed';
  // Unavailable videos are left out.
  if (inside(video, 'isPlayable') === false) return null;
  return {
    id,
    title: textAt(video, 'title'),
    publishedAt: null,
    durationSeconds: wholeNumber(inside(video, 'lengthSeconds')),
    thumbnailUrl: thumbnailAt(video, 'thumbnail', 'thumbnails'),
    isShort: isShortMark(video) ? true : null,
  };
};

const readLockup = (lockup: unknown): ReadItem<ListedVideo> => {
  const id = validVideoId(inside(lockup, 'contentId'));
  if (id === null) return 'malformed';
  return {
    id,
    title: lockupTitle(lockup),
    publishedAt: null,
    durationSeconds: lockupSeconds(lockup),
    thumbnailUrl: lockupThumbnail(lockup),
    isShort: null,
  };
};

/** Null for entries that are not videos, such as notices and the entry with the token. */
const readEntry = (given: unknown): ReadItem<ListedVideo> => {
  const entry = inside(given, 'richItemRenderer', 'content') ?? given;
  const video = inside(entry, 'playlistVideoRenderer');
  if (video !== undefined) return readPlaylistVideo(video);
  const lockup = inside(entry, 'lockupViewModel');
  return inside(lockup, 'contentType') === 'LOCKUP_CONTENT_TYPE_VIDEO' ? readLockup(lockup) : null;
};

/** Reads one page of a playlist. Throws if the page says that its source is gone, or has no list. */
export const readListing = (body: string): Page<ListedVideo> => {
  const answer: unknown = parseAnswer(body);
  refuseErrorAlerts(answer);
  const entries = entriesOf(answer);
  if (entries === null) throw new RefusedAnswer(broken('no_list'));
  return toPage(entries.slice(0, bounds.items).map(readEntry), nextTokenIn(entries));
};

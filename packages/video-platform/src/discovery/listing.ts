import { videoId } from '@tds/contracts';
import { broken, RefusedAnswer } from '../classification/refusal.ts';
import { bounds } from '../config/limits.ts';
import { each, inside, listInside, parseAnswer } from '../tolerant.ts';
import { lockupSeconds, lockupThumbnail, lockupTitle } from './search.ts';
import type { ListedVideo, Page } from './types.ts';
import {
  continuedItems,
  nextTokenIn,
  refuseErrorAlerts,
  stringAt,
  textAt,
  thumbnailAt,
  wholeNumber,
} from './web-pages.ts';

const LISTS = ['playlistVideoListRenderer', 'richGridRenderer'] as const;

const listsIn = (sections: readonly unknown[]): readonly unknown[] =>
  each(sections, 'itemSectionRenderer')
    .flatMap((section) => listInside(section, ['contents'], bounds.items))
    .flatMap((entry) => LISTS.map((name) => inside(entry, name)))
    .filter((list) => list !== undefined);

/** The entries of a playlist page, of a channel's tab, or of a continuation; null if there is no list at all. */
const entriesOf = (answer: unknown): readonly unknown[] | null => {
  const continued = continuedItems(answer);
  if (continued !== null) return continued;
  const tabs = each(
    listInside(answer, ['contents', 'twoColumnBrowseResultsRenderer', 'tabs']),
    'tabRenderer',
  );
  const contents = tabs.map((tab) => inside(tab, 'content')).filter((content) => content !== undefined);
  const sections = contents.flatMap((content) =>
    listInside(content, ['sectionListRenderer', 'contents'], bounds.items),
  );
  const grids = contents
    .map((content) => inside(content, 'richGridRenderer'))
    .filter((grid) => grid !== undefined);
  const lists = [...grids, ...listsIn(sections)];
  if (lists.length > 0) return lists.flatMap((list) => listInside(list, ['contents'], bounds.items));
  // Newer pages have the videos in the section itself; one that has none says so in a message.
  const direct = each(sections, 'itemSectionRenderer').flatMap((section) =>
    listInside(section, ['contents'], bounds.items),
  );
  return sections.length > 0 ? direct : null;
};

const isShortMark = (video: unknown): boolean =>
  listInside(video, ['thumbnailOverlays']).some(
    (overlay) => inside(overlay, 'thumbnailOverlayTimeStatusRenderer', 'style') === 'SHORTS',
  );

type Read = ListedVideo | 'unavailable' | null;

const readPlaylistVideo = (video: unknown): Read => {
  const id = stringAt(video, 'videoId');
  if (id === null || !videoId.safeParse(id).success) return null;
  if (inside(video, 'isPlayable') === false) return 'unavailable';
  return {
    id,
    title: textAt(video, 'title'),
    publishedAt: null,
    durationSeconds: wholeNumber(inside(video, 'lengthSeconds')),
    thumbnailUrl: thumbnailAt(video, 'thumbnail', 'thumbnails'),
    isShort: isShortMark(video) ? true : null,
  };
};

const readLockup = (lockup: unknown): Read => {
  const id = stringAt(lockup, 'contentId');
  if (id === null || !videoId.safeParse(id).success) return null;
  return {
    ...{ id, title: lockupTitle(lockup), publishedAt: null },
    ...{ durationSeconds: lockupSeconds(lockup), thumbnailUrl: lockupThumbnail(lockup), isShort: null },
  };
};

/** Undefined for what is no video: notices, and the entry that holds the token. */
const readEntry = (given: unknown): Read | undefined => {
  const entry = inside(given, 'richItemRenderer', 'content') ?? given;
  const video = inside(entry, 'playlistVideoRenderer');
  if (video !== undefined) return readPlaylistVideo(video);
  const lockup = inside(entry, 'lockupViewModel');
  return inside(lockup, 'contentType') === 'LOCKUP_CONTENT_TYPE_VIDEO' ? readLockup(lockup) : undefined;
};

/** Reads one page of a playlist. Throws if the page says that its source is gone, or has no list. */
export const readListing = (body: string): Page<ListedVideo> => {
  const answer: unknown = parseAnswer(body);
  refuseErrorAlerts(answer);
  const entries = entriesOf(answer);
  if (entries === null) throw new RefusedAnswer(broken('no_list'));
  const read = entries.slice(0, bounds.items).map(readEntry);
  return {
    items: read.filter((one) => typeof one === 'object' && one !== null),
    next: nextTokenIn(entries),
    omitted: read.filter((one) => one === null).length,
  };
};

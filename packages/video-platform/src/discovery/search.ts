import { channelId } from '@tds/contracts';
import { broken, RefusedAnswer } from '../classification/refusal.ts';
import { bounds } from '../config/limits.ts';
import { each, inside, listInside, parseAnswer } from '../tolerant.ts';
import type { Page, SearchItem, SearchType } from './types.ts';
import {
  clockSeconds,
  continuedItems,
  nextTokenIn,
  type ReadItem,
  refuseErrorAlerts,
  stringAt,
  textAt,
  thumbnailAt,
  toPage,
  validVideoId,
  viewCount,
} from './web-pages.ts';

const playlistId = /^[\w-]{2,100}$/;
const wellFormed: Readonly<Record<SearchType, (id: string) => boolean>> = {
  video: (id) => validVideoId(id) !== null,
  channel: (id) => channelId.safeParse(id).success,
  playlist: (id) => playlistId.test(id),
};

const CAPTIONS = 'Closed captions';

const item = (type: SearchType, id: string | null, more: Partial<SearchItem>): ReadItem<SearchItem> =>
  id === null || !wellFormed[type](id)
    ? 'malformed'
    : {
        type,
        id,
        title: null,
        channelTitle: null,
        durationSeconds: null,
        viewCount: null,
        publishedText: null,
        hasCaptions: false,
        thumbnailUrl: null,
        ...more,
      };

/** Compares the accessibility label: the visible one differs between varieties of English. */
const hasCaptionBadge = (video: unknown): boolean =>
  each(listInside(video, ['badges']), 'metadataBadgeRenderer').some(
    (badge) => inside(badge, 'accessibilityData', 'label') === CAPTIONS,
  );

const readVideo = (video: unknown): ReadItem<SearchItem> =>
  item('video', stringAt(video, 'videoId'), {
    title: textAt(video, 'title'),
    channelTitle: textAt(video, 'ownerText') ?? textAt(video, 'longBylineText'),
    durationSeconds: clockSeconds(textAt(video, 'lengthText')),
    viewCount: viewCount(textAt(video, 'viewCountText')),
    publishedText: textAt(video, 'publishedTimeText'),
    hasCaptions: hasCaptionBadge(video),
    thumbnailUrl: thumbnailAt(video, 'thumbnail', 'thumbnails'),
  });

const readChannel = (channel: unknown): ReadItem<SearchItem> => {
  const title = textAt(channel, 'title');
  return item('channel', stringAt(channel, 'channelId'), {
    title,
    channelTitle: title,
    thumbnailUrl: thumbnailAt(channel, 'thumbnail', 'thumbnails'),
  });
};

const readPlaylist = (playlist: unknown): ReadItem<SearchItem> =>
  item('playlist', stringAt(playlist, 'playlistId'), {
    title: textAt(playlist, 'title'),
    channelTitle: textAt(playlist, 'longBylineText') ?? textAt(playlist, 'shortBylineText'),
    thumbnailUrl: thumbnailAt(listInside(playlist, ['thumbnails']).at(0), 'thumbnails'),
  });

const lockupTypes: Readonly<Record<string, SearchType>> = {
  LOCKUP_CONTENT_TYPE_VIDEO: 'video',
  LOCKUP_CONTENT_TYPE_PLAYLIST: 'playlist',
  LOCKUP_CONTENT_TYPE_PODCAST: 'playlist',
};

/** The channel: the first text of a lockup's first row of details. */
const lockupOwner = (lockup: unknown): string | null => {
  const details = ['metadata', 'lockupMetadataViewModel', 'metadata', 'contentMetadataViewModel'];
  const [row] = listInside(lockup, [...details, 'metadataRows']);
  return textAt(listInside(row, ['metadataParts']).at(0), 'text');
};

const lockupBadges = (lockup: unknown): readonly unknown[] =>
  listInside(lockup, ['contentImage', 'thumbnailViewModel', 'overlays']).flatMap((overlay) => [
    ...listInside(overlay, ['thumbnailBottomOverlayViewModel', 'badges']),
    ...listInside(overlay, ['thumbnailOverlayBadgeViewModel', 'thumbnailBadges']),
  ]);

export const lockupSeconds = (lockup: unknown): number | null =>
  lockupBadges(lockup)
    .map((badge) => clockSeconds(textAt(badge, 'thumbnailBadgeViewModel', 'text')))
    .find((seconds) => seconds !== null) ?? null;

export const lockupTitle = (lockup: unknown): string | null =>
  textAt(lockup, 'metadata', 'lockupMetadataViewModel', 'title');

export const lockupThumbnail = (lockup: unknown): string | null =>
  thumbnailAt(lockup, 'contentImage', 'thumbnailViewModel', 'image', 'sources') ??
  thumbnailAt(
    inside(lockup, 'contentImage', 'collectionThumbnailViewModel', 'primaryThumbnail'),
    'thumbnailViewModel',
    'image',
    'sources',
  );

/** Null for lockups that are no results, such as radio stations and albums. */
const readLockup = (lockup: unknown): ReadItem<SearchItem> => {
  const type = lockupTypes[stringAt(lockup, 'contentType') ?? ''];
  if (type === undefined) return null;
  return item(type, stringAt(lockup, 'contentId'), {
    title: lockupTitle(lockup),
    channelTitle: lockupOwner(lockup),
    durationSeconds: type === 'video' ? lockupSeconds(lockup) : null,
    thumbnailUrl: lockupThumbnail(lockup),
  });
};

const readers: Readonly<Record<string, (renderer: unknown) => ReadItem<SearchItem>>> = {
  videoRenderer: readVideo,
  channelRenderer: readChannel,
  playlistRenderer: readPlaylist,
  lockupViewModel: readLockup,
};

/** Null for shelves, notices and unknown entries, which are never looked into. */
const readSearchItem = (entry: unknown): ReadItem<SearchItem> => {
  if (typeof entry !== 'object' || entry === null) return 'malformed';
  const name = Object.keys(readers).find((known) => Object.hasOwn(entry, known));
  return name === undefined ? null : (readers[name]?.(inside(entry, name)) ?? null);
};

const SECTIONS = ['sectionListRenderer', 'contents'] as const;

const sectionsAt = (holder: unknown): readonly unknown[] | null =>
  Array.isArray(inside(holder, ...SECTIONS)) ? listInside(holder, SECTIONS, bounds.items) : null;

/** The sections of a search page, of a channel's search tab, or of a continuation of either. */
const sectionsOf = (answer: unknown): readonly unknown[] | null => {
  const results = inside(answer, 'contents', 'twoColumnSearchResultsRenderer', 'primaryContents');
  const tabs = listInside(answer, ['contents', 'twoColumnBrowseResultsRenderer', 'tabs']);
  const found = [results, ...each(tabs, 'expandableTabRenderer').map((tab) => inside(tab, 'content'))];
  return found.map(sectionsAt).find((sections) => sections !== null) ?? continuedItems(answer);
};

const entriesOf = (sections: readonly unknown[]): readonly unknown[] =>
  sections.flatMap((section) => {
    const inner = inside(section, 'itemSectionRenderer');
    // A continuation may hold results outside of sections.
    return inner === undefined ? [section] : listInside(inner, ['contents'], bounds.items);
  });

/** Reads one page. Leaves out results of another type, and shelves with their contents. */
export const readSearch = (body: string, type: SearchType): Page<SearchItem> => {
  const answer: unknown = parseAnswer(body);
  refuseErrorAlerts(answer);
  const sections = sectionsOf(answer);
  if (sections === null) throw new RefusedAnswer(broken('no_results_list'));
  const read = entriesOf(sections)
    .slice(0, bounds.items)
    .map(readSearchItem)
    .filter((one) => one === 'malformed' || one?.type === type);
  return toPage(read, nextTokenIn(sections));
};

import { channelId } from '@tds/contracts';
import { each, inside, listInside } from '../reading/index.ts';
import type { Entry, ReadItem } from './page-entries.ts';
import type { SearchItem } from './types.ts';
import {
  clockSeconds,
  stringAt,
  textAt,
  thumbnailAt,
  validVideoId,
  viewCount,
  wholeNumber,
} from './web-pages.ts';

/** A video of a search or a listing. Unknown values are null. */
type VideoEntry = Omit<SearchItem, 'type'> & { readonly isShort: boolean | null };

const UNAVAILABLE = /^\[(?:private|deleted|unavailable) video\]$/i;

const video = (id: unknown, fields: Partial<VideoEntry>): ReadItem<VideoEntry> => {
  const valid = validVideoId(id);
  if (valid === null) return 'unreadable';
  if (UNAVAILABLE.test(fields.title ?? '')) return null;
  return {
    channelTitle: null,
    durationSeconds: null,
    viewCount: null,
    publishedText: null,
    hasCaptions: false,
    thumbnailUrl: null,
    isShort: null,
    ...fields,
    id: valid,
    title: fields.title || null,
  };
};

const firstOf = <Value>(values: readonly (Value | null)[]): Value | null =>
  values.find((value) => value !== null) ?? null;

const CAPTIONS: ReadonlySet<string | null> = new Set(['Closed captions', 'CC', 'Subtitles/closed captions']);

/** The accessibility label first: the visible one differs between varieties of English. */
const hasCaptionBadge = (wrapper: unknown): boolean =>
  [...each([wrapper], 'metadataBadgeRenderer'), ...each([wrapper], 'badgeViewModel')].some((badge) =>
    [
      stringAt(badge, 'accessibilityData', 'label'),
      stringAt(badge, 'badgeText'),
      textAt(badge, 'text'),
      stringAt(badge, 'rendererContext', 'accessibilityContext', 'label'),
    ].some((label) => CAPTIONS.has(label)),
  );

/** A number and a unit, in any length: `2 years ago`, `16h ago`, `1mo ago`. */
const PUBLISHED =
  /^(?:(?:streamed|premiered) )?(?:(?:\d{1,4}|an?) ?[smhdwy][a-z]{0,6}\.? ago|yesterday|just now)\.?$/i;
const publishedText = (text: string): string | null => (PUBLISHED.test(text) ? text : null);

/** Texts of a lockup that are neither its channel nor a date nor an exact number of views. */
const OTHER_DETAIL =
  /^(?:[\d.,]{1,15}[KMB]? (?:views?|watching|waiting|videos?|episodes?|lessons?|subscribers?)(?: now)?|(?:premieres|scheduled for|updated|view full) .{1,100}|playlist|podcast|course|album|mix|live|upcoming|new|free|members (?:only|first)|sponsored|(?:auto-|ai-)?dubbed|[•·])$/i;

/** One text of a lockup, and whether it leads to a channel. */
type Detail = { readonly text: string; readonly isLinked: boolean };

const linksToChannel = (run: unknown): boolean => {
  const endpoint = inside(run, 'onTap', 'innertubeCommand', 'browseEndpoint');
  return channelId.safeParse(inside(endpoint, 'browseId')).success;
};

const readDetails = (row: unknown): readonly Detail[] =>
  listInside(row, ['metadataParts']).flatMap((part) => {
    const text = textAt(part, 'text')?.trim();
    const isLinked = listInside(part, ['text', 'commandRuns']).some(linksToChannel);
    return text ? [{ text, isLinked }] : [];
  });

/** The channel is the text that leads to one, else the first that is nothing else. It stands in no row behind that of views and date. */
const findOwner = (rows: readonly (readonly Detail[])[]): string | null => {
  const isCount = ({ text }: Detail) => viewCount(text) !== null || publishedText(text) !== null;
  const isOwner = (detail: Detail) => !isCount(detail) && !OTHER_DETAIL.test(detail.text);
  const counts = rows.findIndex((row) => row.some(isCount));
  const before = counts < 0 ? rows : rows.slice(0, counts + 1);
  return (rows.flat().find(({ isLinked }) => isLinked) ?? before.flat().find(isOwner))?.text ?? null;
};

const lockupBadges = (lockup: unknown): readonly (string | null)[] =>
  listInside(lockup, ['contentImage', 'thumbnailViewModel', 'overlays'])
    .flatMap((overlay) => [
      ...listInside(overlay, ['thumbnailBottomOverlayViewModel', 'badges']),
      ...listInside(overlay, ['thumbnailOverlayBadgeViewModel', 'thumbnailBadges']),
    ])
    .map((badge) => textAt(badge, 'thumbnailBadgeViewModel', 'text'));

/** What lockups of videos, playlists and channels have in common. */
export const readLockupHead = (lockup: unknown) => {
  const metadata = inside(lockup, 'metadata', 'lockupMetadataViewModel');
  const rows = listInside(metadata, ['metadata', 'contentMetadataViewModel', 'metadataRows']);
  const collection = inside(lockup, 'contentImage', 'collectionThumbnailViewModel', 'primaryThumbnail');
  const texts = rows.map(readDetails);
  const details = texts.flat();
  const badges = rows.flatMap((row) => listInside(row, ['badges']));
  return {
    title: textAt(metadata, 'title'),
    channelTitle: findOwner(texts),
    viewCount: firstOf(details.map(({ text }) => viewCount(text))),
    publishedText: firstOf(details.map(({ text }) => publishedText(text))),
    hasCaptions: badges.some(hasCaptionBadge),
    thumbnailUrl:
      thumbnailAt(lockup, 'contentImage', 'thumbnailViewModel', 'image', 'sources') ??
      thumbnailAt(collection, 'thumbnailViewModel', 'image', 'sources'),
  };
};

const readLockup = (lockup: unknown, isShort: boolean): ReadItem<VideoEntry> => {
  const head = readLockupHead(lockup);
  const badges = lockupBadges(lockup);
  const id = inside(lockup, 'contentId');
  // Deleted videos have no title at all; that of others may be empty.
  if (head.title === null && validVideoId(id) !== null) return null;
  return video(id, {
    ...head,
    durationSeconds: firstOf(badges.map(clockSeconds)),
    isShort: isShort || badges.includes('SHORTS') ? true : null,
  });
};

const overlaysOf = (renderer: unknown): readonly unknown[] =>
  each(listInside(renderer, ['thumbnailOverlays']), 'thumbnailOverlayTimeStatusRenderer');

const readRenderer = (renderer: unknown): ReadItem<VideoEntry> => {
  const overlays = overlaysOf(renderer);
  const runs = listInside(renderer, ['videoInfo', 'runs']).map(
    (run) => textAt(run) ?? stringAt(run, 'text') ?? '',
  );
  if (inside(renderer, 'isPlayable') === false && validVideoId(inside(renderer, 'videoId')) !== null)
    return null;
  return video(inside(renderer, 'videoId'), {
    title: textAt(renderer, 'title'),
    channelTitle: firstOf(
      ['ownerText', 'longBylineText', 'shortBylineText'].map((name) => textAt(renderer, name)),
    ),
    durationSeconds:
      wholeNumber(inside(renderer, 'lengthSeconds')) ??
      clockSeconds(textAt(renderer, 'lengthText')) ??
      firstOf(overlays.map((overlay) => clockSeconds(textAt(overlay, 'text')))),
    viewCount: firstOf([textAt(renderer, 'viewCountText'), ...runs].map(viewCount)),
    publishedText: textAt(renderer, 'publishedTimeText') ?? firstOf(runs.map(publishedText)),
    hasCaptions: listInside(renderer, ['badges']).some(hasCaptionBadge),
    thumbnailUrl: thumbnailAt(renderer, 'thumbnail', 'thumbnails'),
    isShort: overlays.some((overlay) => inside(overlay, 'style') === 'SHORTS') ? true : null,
  });
};

const readReel = (reel: unknown): ReadItem<VideoEntry> =>
  video(inside(reel, 'videoId') ?? inside(reel, 'navigationEndpoint', 'reelWatchEndpoint', 'videoId'), {
    title: textAt(reel, 'headline'),
    viewCount: viewCount(textAt(reel, 'viewCountText')),
    thumbnailUrl: thumbnailAt(reel, 'thumbnail', 'thumbnails'),
    isShort: true,
  });

const ENTITY = /^shorts-shelf-item-([\w-]{11})$/;

const readShortsLockup = (lockup: unknown): ReadItem<VideoEntry> => {
  const tapVideoId = inside(lockup, 'onTap', 'innertubeCommand', 'reelWatchEndpoint', 'videoId');
  return video(tapVideoId ?? ENTITY.exec(stringAt(lockup, 'entityId') ?? '')?.[1], {
    title: textAt(lockup, 'overlayMetadata', 'primaryText'),
    viewCount: viewCount(textAt(lockup, 'overlayMetadata', 'secondaryText')),
    thumbnailUrl:
      thumbnailAt(lockup, 'thumbnail', 'sources') ??
      thumbnailAt(lockup, 'thumbnailViewModel', 'thumbnailViewModel', 'image', 'sources'),
    isShort: true,
  });
};

/** The platform's layouts of a video. */
const layouts: Readonly<Record<string, (value: unknown) => ReadItem<VideoEntry>>> = {
  playlistVideoRenderer: readRenderer,
  videoRenderer: readRenderer,
  gridVideoRenderer: readRenderer,
  compactVideoRenderer: readRenderer,
  playlistPanelVideoRenderer: readRenderer,
  reelItemRenderer: readReel,
  shortsLockupViewModel: readShortsLockup,
};

const VIDEO_LOCKUP = /^LOCKUP_CONTENT_TYPE_(?:VIDEO|EPISODE|(SHORTS?))$/;
export const lockupType = (lockup: unknown): string => stringAt(lockup, 'contentType') ?? '';

/** Reads a video in any layout; undefined if the entry is none. */
export const readVideoEntry = ({ name, value }: Entry): ReadItem<VideoEntry> | undefined => {
  if (Object.hasOwn(layouts, name)) return layouts[name]?.(value);
  const lockup = name === 'lockupViewModel' ? VIDEO_LOCKUP.exec(lockupType(value)) : null;
  return lockup === null ? undefined : readLockup(value, lockup[1] !== undefined);
};

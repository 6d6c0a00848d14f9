import { bounds } from '../config/limits.ts';
import { inside, isoDate, listInside, parseAnswer } from '../reading/index.ts';
import { type ReadItem, toPage } from './page-entries.ts';
import type { ListedVideo, Page } from './types.ts';
import { asToken, stringAt, textAt, validVideoId } from './web-pages.ts';

const DURATION = /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,5})S)?)?$/;

/** `PT1H7M34S`; null for anything else, and for no time at all, as of a broadcast that has not ended. */
export const isoSeconds = (text: string | null): number | null => {
  const parts = DURATION.exec(text ?? '');
  if (parts === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds || null;
};

const sizes = ['maxres', 'standard', 'high', 'medium', 'default'] as const;
const thumbnailOf = (item: unknown): string | null => {
  const address = sizes
    .map((size) => stringAt(item, 'snippet', 'thumbnails', size, 'url'))
    .find((url) => url !== null);
  return address !== undefined && URL.parse(address)?.protocol === 'https:' ? address : null;
};

const toListedVideo = (
  item: unknown,
  rawId: string | null,
  publishedAt: string | null,
): ReadItem<ListedVideo> => {
  const id = validVideoId(rawId);
  if (id === null) return 'unreadable';
  return {
    id,
    title: textAt(item, 'snippet', 'title'),
    publishedAt: isoDate(publishedAt),
    durationSeconds: isoSeconds(stringAt(item, 'contentDetails', 'duration')),
    thumbnailUrl: thumbnailOf(item),
    isShort: null,
  };
};

/** The row of a private or deleted video has no publish date of its video. */
const isUnavailable = (item: unknown): boolean => {
  const details = inside(item, 'contentDetails');
  return details !== undefined && stringAt(details, 'videoPublishedAt') === null;
};

const UPLOADS = /^UU/;

/** The date of a row is that of its video only in a list of uploads. */
const publishedOf = (item: unknown): string | null =>
  stringAt(item, 'contentDetails', 'videoPublishedAt') ??
  (UPLOADS.test(stringAt(item, 'snippet', 'playlistId') ?? '')
    ? stringAt(item, 'snippet', 'publishedAt')
    : null);

const readRow = (item: unknown): ReadItem<ListedVideo> => {
  if (isUnavailable(item)) return null;
  const id = stringAt(item, 'contentDetails', 'videoId') ?? stringAt(item, 'snippet', 'resourceId', 'videoId');
  return toListedVideo(item, id, publishedOf(item));
};

/** Throws if the answer has no list: an empty playlist has an empty one. */
const readItems = (answer: unknown): readonly unknown[] => {
  if (!Array.isArray(inside(answer, 'items'))) throw new TypeError('the answer has no items');
  return listInside(answer, ['items'], bounds.items);
};

/** Only the token marks the end: `totalResults` also counts videos that no page shows. */
export const readListItems = (body: string): Page<ListedVideo> => {
  const answer: unknown = parseAnswer(body);
  return toPage(readItems(answer).map(readRow), asToken(inside(answer, 'nextPageToken')));
};

export const readVideos = (body: string): readonly ListedVideo[] =>
  toPage(
    readItems(parseAnswer(body)).map((item) =>
      toListedVideo(item, stringAt(item, 'id'), stringAt(item, 'snippet', 'publishedAt')),
    ),
    null,
  ).items;

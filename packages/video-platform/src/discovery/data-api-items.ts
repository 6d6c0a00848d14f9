import { videoId } from '@tds/contracts';
import { bounds } from '../config/limits.ts';
import { inside, listInside, parseAnswer } from '../tolerant.ts';
import type { ListedVideo, Page } from './types.ts';
import { asToken, stringAt, textAt } from './web-pages.ts';

const DURATION = /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,5})S)?)?$/;
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** `PT1H7M34S`; null for anything else. */
export const isoSeconds = (given: string | null): number | null => {
  const parts = DURATION.exec(given ?? '');
  if (parts === null) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return days * DAY_S + hours * HOUR_S + minutes * MINUTE_S + seconds;
};

const sizes = ['maxres', 'standard', 'high', 'medium', 'default'] as const;
const thumbnailOf = (snippet: unknown): string | null => {
  const found = sizes.map((size) => stringAt(snippet, 'thumbnails', size, 'url')).find((url) => url !== null);
  return found !== undefined && URL.parse(found)?.protocol === 'https:' ? found : null;
};

const dateOf = (given: string | null): string | null =>
  given === null || Number.isNaN(Date.parse(given)) ? null : new Date(given).toISOString();

const listed = (item: unknown, id: string | null, publishedAt: string | null): ListedVideo | null =>
  id === null || !videoId.safeParse(id).success
    ? null
    : {
        ...{ id, title: textAt(item, 'snippet', 'title'), publishedAt: dateOf(publishedAt) },
        durationSeconds: isoSeconds(stringAt(item, 'contentDetails', 'duration')),
        thumbnailUrl: thumbnailOf(inside(item, 'snippet')),
        isShort: null,
      };

/** A row without the date of its video: the video is private or deleted. */
const isUnavailable = (item: unknown): boolean => {
  const details = inside(item, 'contentDetails');
  return details !== undefined && stringAt(details, 'videoPublishedAt') === null;
};

const UPLOADS = /^UU/;

/** When a row was added is when the video came out only in a list of uploads. */
const publishedOf = (item: unknown): string | null =>
  stringAt(item, 'contentDetails', 'videoPublishedAt') ??
  (UPLOADS.test(stringAt(item, 'snippet', 'playlistId') ?? '')
    ? stringAt(item, 'snippet', 'publishedAt')
    : null);

const readRow = (item: unknown): ListedVideo | 'unavailable' | null => {
  if (isUnavailable(item)) return 'unavailable';
  const id =
    stringAt(item, 'contentDetails', 'videoId') ?? stringAt(item, 'snippet', 'resourceId', 'videoId');
  return listed(item, id, publishedOf(item));
};

/** The items of an answer. Throws if it has no list: an empty playlist has an empty one. */
const itemsOf = (answer: unknown): readonly unknown[] => {
  if (!Array.isArray(inside(answer, 'items'))) throw new TypeError('the answer has no items');
  return listInside(answer, ['items'], bounds.items);
};

/** `totalResults` counts what no page shows, so only the token tells the end. */
export const readListItems = (body: string): Page<ListedVideo> => {
  const answer: unknown = parseAnswer(body);
  const read = itemsOf(answer).map(readRow);
  return {
    items: read.filter((one) => typeof one === 'object' && one !== null),
    next: asToken(inside(answer, 'nextPageToken')),
    omitted: read.filter((one) => one === null).length,
  };
};

export const readVideos = (body: string): readonly ListedVideo[] =>
  itemsOf(parseAnswer(body)).flatMap(
    (item) => listed(item, stringAt(item, 'id'), stringAt(item, 'snippet', 'publishedAt')) ?? [],
  );

import type { StoredFormat, VideoDetails } from '@tds/contracts';
import { create } from 'content-disposition';
import { withoutHiddenMarks } from './cues.ts';
import { capBytes, safeFileTitle, titleCapBytes } from './file-titles.ts';

const timeWithoutZone = /T[\d:.]+$/;
const calendarDay = /^\d{4}-\d{2}-\d{2}$/;

/** The UTC day (YYYY-MM-DD) of an ISO 8601 time; null if unknown or unreadable. */
export const publishedDay = (publishedAt: string | null): string | null => {
  if (publishedAt === null) return null;
  const date = new Date(timeWithoutZone.test(publishedAt) ? `${publishedAt}Z` : publishedAt);
  if (Number.isNaN(date.getTime())) return null;
  const day = date.toISOString().slice(0, 10);
  return calendarDay.test(day) ? day : null;
};

export const contentTypes = {
  json: 'application/json; charset=utf-8',
  words: 'application/json; charset=utf-8',
  clean: 'text/plain; charset=utf-8',
  timestamped: 'text/plain; charset=utf-8',
  both: 'text/plain; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
} as const satisfies Readonly<Record<StoredFormat, string>>;

/** Without the dot. */
export const fileExtensions: Readonly<Record<StoredFormat, string>> = {
  json: 'json',
  words: 'json',
  clean: 'txt',
  timestamped: 'txt',
  both: 'txt',
  srt: 'srt',
  vtt: 'vtt',
  md: 'md',
};

type NamedVideo = Pick<VideoDetails, 'id' | 'title' | 'published_at'>;

/** `YYYY-MM-DD - Title`, or `Title` if the day is unknown; the video id replaces an unknown title. */
export const fileStem = (video: NamedVideo): string => {
  const day = publishedDay(video.published_at);
  const title = safeFileTitle(video.title, video.id);
  return day === null ? title : `${day} - ${title}`;
};

const beyondTags = /[^A-Za-z0-9-]/g;

type NamedFile = { readonly language: string; readonly format: StoredFormat };

/** Encrypted folders take no longer names. */
const MAX_NAME_BYTES = 143;

/** `YYYY-MM-DD - Title.en.clean.txt`, so that files of one video sort together. */
export const attachmentFileName = (video: NamedVideo, { language, format }: NamedFile): string => {
  const extension = fileExtensions[format];
  const end = extension === 'txt' ? `${format}.${extension}` : extension;
  const suffix = `.${language.replace(beyondTags, '_')}.${end}`;
  return capBytes(fileStem(video), Math.max(titleCapBytes / 2, MAX_NAME_BYTES - suffix.length)) + suffix;
};

const unsafe = /[\p{Cc}/\\]/gu;
const accents = /\p{M}/gu;
// Older agents decode `%41` and fail on quoted pairs in the plain parameter.
const beyondPlain = /[^\x20-\x7e]|["%]/gu;

const asciiName = (name: string): string =>
  name.normalize('NFKD').replace(accents, '').replace(beyondPlain, '_').replace(unsafe, '_');

/** An `attachment` header value (RFC 6266): ASCII, one line, with the exact name in `filename*` if needed. */
export const contentDisposition = (fileName: string): string => {
  const name = withoutHiddenMarks(fileName.toWellFormed()).replace(unsafe, '_');
  return create(name, { fallback: asciiName(name) });
};

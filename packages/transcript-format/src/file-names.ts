import type { StoredFormat, VideoDetails } from '@tds/contracts';
import { create } from 'content-disposition';
import { hasVisibleText, withoutHiddenMarks } from './cues.ts';

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

const titleCapBytes = 120;
// Far above the cap, and low enough that trimming an endless run of dots costs no time.
const readCharacters = 2_000;
// Controls and zero width padding, which would disguise a name.
const invisible = /[\p{Cc}\u00ad\u200b\u2060-\u206f\ufeff]/gu;
const forbidden = /[/\\:*?"<>|]/g;
const leading = /^[.\s-]+/;
const trailing = /(?<![.\s\u200c\u200d])[.\s\u200c\u200d]+$/;
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?= *(?:\.|$))/i;

const capBytes = (text: string, bytes = titleCapBytes): string => {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read).replace(trailing, '');
};

const makeSafe = (title: string): string => {
  const whole = title.slice(0, readCharacters).toWellFormed();
  const readable = withoutHiddenMarks(whole.replace(/\s/g, ' ').replace(invisible, ''));
  const safeName = readable
    .normalize('NFC')
    .replace(/ {2,}/g, ' ')
    .replace(forbidden, '_')
    .replace(leading, '');
  const cappedName = capBytes(safeName);
  if (!hasVisibleText(cappedName)) return '';
  return windowsDevice.test(cappedName) ? capBytes(`_${cappedName}`) : cappedName;
};

/**
 * An untrusted title as a file name without extension: NFC, at most 120 bytes of UTF-8, safe in shells, archives and on Windows. If nothing
 * is left of the title, returns the fallback, such as the video id.
 */
export const safeFileTitle = (title: string | null, fallback = 'Untitled'): string =>
  // An id may start with a dash, which must stay.
  makeSafe(title ?? '') || makeSafe(fallback.replace(/^-/, '_-')) || 'Untitled';

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

import { type Chapter, videoBounds } from '@tds/contracts';
import { plainLine } from '../reading/index.ts';

/** A longer line is no entry of a list. Bounds the cost of the patterns below. */
const MAX_LINE_LENGTH = 300;

const TIME = String.raw`(?:(\d{1,2}):)?(\d{1,3}):(\d{2})(?![\d:])`;
/** A second time, behind a dash or a short word, is the end of the chapter. */
const END = String.raw`(?: ?(?:[-\u2013\u2014]|[\p{Ll}\p{Lo}]{1,4}) ?\d{1,3}(?::\d{2}){1,2}(?![\d:]))?`;
const NUMBER = String.raw`(?:\d{1,3}[.)]|(?:\d\ufe0f?\u20e3){1,3}|\p{No}{1,3})`;
/** After bullets, brackets or a number of the list. */
const TIME_FIRST = new RegExp(
  String.raw`^[^\p{L}\p{N}]{0,12}(?:${NUMBER} ?[^\p{L}\p{N}]{0,4})?${TIME}${END}`,
  'u',
);
const TIME_LAST = new RegExp(
  String.raw`(?<![\d:])${TIME}${END}[)\]\u3011\u300d\uff09\uff3d\u3015\u3009]?$`,
  'u',
);
/** Text in scripts from right to left has them around its times. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const BETWEEN = ' -\u2013\u2014:|.,;~>\u00b7\u2022=_';
/** What stands before a title, after its time or a bullet; and between a title and the time after it. */
const LEADING = new Set(`${BETWEEN})]*\u3011\u300d\uff09\uff3d\u3015\u3009`);
const TRAILING = new Set(`${BETWEEN}([\u3010\u300c\uff08\uff3b\u3014\u3008`);

const trimStart = (text: string): string => {
  let start = 0;
  while (LEADING.has(text.charAt(start))) start += 1;
  return text.slice(start);
};

const trimEnd = (text: string): string => {
  let end = text.length;
  while (TRAILING.has(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

type Side = 'before' | 'after';
type Entry = Chapter & { readonly side: Side };

const MAX_SIXTIETHS = 59;

/** Null if the digits are no time of day or video, such as 1:75. */
const toSeconds = ([, hours, minutes = '', seconds = '']: RegExpExecArray): number | null => {
  const isTime = Number(seconds) <= MAX_SIXTIETHS && (hours === undefined || Number(minutes) <= MAX_SIXTIETHS);
  return isTime ? (Number(hours ?? 0) * 60 + Number(minutes)) * 60 + Number(seconds) : null;
};

/** A line with a time before or after a title. */
const readEntry = (raw: string): Entry | null => {
  if (raw.length > MAX_LINE_LENGTH) return null;
  const line = plainLine(raw.replace(DIRECTION_MARKS, ''), MAX_LINE_LENGTH);
  const first = TIME_FIRST.exec(line);
  const match = first ?? TIME_LAST.exec(line);
  const start = match && toSeconds(match);
  if (match === null || start === null) return null;
  const title = trimStart(first ? line.slice(match[0].length) : trimEnd(line.slice(0, match.index)));
  if (title === '') return null;
  return { start, title: plainLine(title, videoBounds.chapterTitle), side: first ? 'before' : 'after' };
};

const MIN_CHAPTERS = 3;
const MIN_CHAPTER_SECONDS = 10;

const areChapters = (entries: readonly Entry[], end: number): boolean =>
  entries.length >= MIN_CHAPTERS &&
  entries.length <= videoBounds.chapters &&
  entries.every(({ start }, index) => (entries[index + 1]?.start ?? end) - start >= MIN_CHAPTER_SECONDS);

/**
 * The chapters that a description lists, by the platform's rule: the first at 0:00, at least three, in ascending order, each at least ten
 * seconds long, and all within the video. A list that breaks it is no list. Lines without a time may stand between; so may lines with a
 * time on the other side of their text.
 */
export const readChapters = (description: string, duration: number | null): Chapter[] | null => {
  const all = description.split('\n').flatMap((line) => readEntry(line) ?? []);
  const first = all.findIndex(({ start }) => start === 0);
  const entries = all.slice(first).filter(({ side }) => first >= 0 && side === all[first]?.side);
  if (!areChapters(entries, duration ?? Number.POSITIVE_INFINITY)) return null;
  return entries.map(({ start, title }) => ({ start, title }));
};

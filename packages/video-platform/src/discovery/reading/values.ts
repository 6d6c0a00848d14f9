import { bounds } from '../../config/bounds.ts';
import { exactLine } from '../../plain-text.ts';
import { textOf } from '../../player/tolerant.ts';
import { inside, listInside } from './inside.ts';

/** A text in any of the platform's ways: `simpleText`, `runs`, and `content` of the newer view models. */
export const textAt = (value: unknown, ...path: readonly (string | number)[]): string | null => {
  const found = inside(value, ...path);
  const text = textOf(inside(found, 'content') ?? found);
  return text === null ? null : exactLine(text, bounds.line);
};

export const stringAt = (value: unknown, ...path: readonly (string | number)[]): string | null => {
  const found = inside(value, ...path);
  return typeof found === 'string' && found.length <= bounds.address ? found : null;
};

const CLOCK = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{2})$/;
const MINUTE_S = 60;
const HOUR_S = 3_600;

/** `1:07:34` or `12:05`; null for `LIVE` and the like. */
export const clockSeconds = (given: string | null): number | null => {
  const parts = CLOCK.exec(given ?? '');
  if (parts === null) return null;
  const [, hours = '0', minutes, seconds] = parts;
  return Number(hours) * HOUR_S + Number(minutes) * MINUTE_S + Number(seconds);
};

const WHOLE = /^\d{1,9}$/;
export const wholeNumber = (given: unknown): number | null =>
  WHOLE.test(String(given ?? '')) ? Number(given) : null;

const VIEWS = /^(\d{1,3}(?:,\d{3}){0,5}|\d{1,15}) views?$/;

/** `1,862 views`; null for `1.2K views` and for who is watching a broadcast. */
export const viewCount = (given: string | null): number | null => {
  if (given === 'No views') return 0;
  const digits = VIEWS.exec(given ?? '')?.[1];
  return digits === undefined ? null : Number(digits.replaceAll(',', ''));
};

/** The last of a list of pictures, which is the largest; null if its address is not https or too long. */
export const thumbnailAt = (value: unknown, ...path: readonly (string | number)[]): string | null => {
  const address = stringAt(listInside(value, path).at(-1), 'url');
  const url = address === null ? null : URL.parse(address, 'https://i.ytimg.com');
  return url?.protocol === 'https:' && url.href.length <= bounds.address ? url.href : null;
};

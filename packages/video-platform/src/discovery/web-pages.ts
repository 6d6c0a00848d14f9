import { videoId } from '@tds/contracts';
import { meanings, RefusedAnswer, refusal } from '../classification/index.ts';
import { bounds } from '../config/limits.ts';
import { exactLine, inside, listInside, textOf } from '../reading/index.ts';

export const validVideoId = (rawId: unknown): string | null => videoId.safeParse(rawId).data ?? null;

/** A text in any notation of the platform: `simpleText`, `runs`, and `content` of the newer view models. */
export const textAt = (value: unknown, ...path: readonly (string | number)[]): string | null => {
  const field = inside(value, ...path);
  const text = textOf(inside(field, 'content') ?? field);
  return text === null ? null : exactLine(text, bounds.line);
};

export const stringAt = (value: unknown, ...path: readonly (string | number)[]): string | null => {
  const field = inside(value, ...path);
  return typeof field === 'string' && field.length <= bounds.address ? field : null;
};

const CLOCK = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{2})$/;

/** `1:07:34` or `12:05`; null for `LIVE` and the like. */
export const clockSeconds = (clock: string | null): number | null => {
  const parts = CLOCK.exec(clock ?? '');
  if (parts === null) return null;
  const [, hours = '0', minutes, seconds] = parts;
  return (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
};

const WHOLE = /^\d{1,9}$/;
export const wholeNumber = (raw: unknown): number | null =>
  WHOLE.test(String(raw ?? '')) ? Number(raw) : null;

const VIEWS = /^(\d{1,3}(?:,\d{3}){0,5}|\d{1,15}) views?$/;

/** `1,862 views`; null for `1.2K views` and for the viewers of a broadcast. */
export const viewCount = (label: string | null): number | null => {
  if (label === 'No views') return 0;
  const digits = VIEWS.exec(label ?? '')?.[1];
  return digits === undefined ? null : Number(digits.replaceAll(',', ''));
};

/** The last picture of a list, which is the largest; null if its address is too long or not https. */
export const thumbnailAt = (value: unknown, ...path: readonly (string | number)[]): string | null => {
  const address = stringAt(listInside(value, path).at(-1), 'url');
  const url = address === null ? null : URL.parse(address, 'https://i.ytimg.com');
  return url?.protocol === 'https:' && url.href.length <= bounds.address ? url.href : null;
};

const ALERTS = ['alertRenderer', 'alertWithButtonRenderer'] as const;
/** Passing errors, which say nothing about the source. */
const PASSING = /try again|went wrong|error occurred|temporarily/i;

/** Throws if an alert says that the source is gone. Good pages have alerts of other types. */
export const refuseErrorAlerts = (answer: unknown): void => {
  for (const alert of listInside(answer, ['alerts'])) {
    const errorAlert = ALERTS.map((name) => inside(alert, name)).find((one) => inside(one, 'type') === 'ERROR');
    if (errorAlert === undefined) continue;
    const reason = textAt(errorAlert, 'text');
    const meaning = PASSING.test(reason ?? '') ? meanings.odd : meanings.sourceGone;
    throw new RefusedAnswer(refusal('error_alert', meaning, { reason }));
  }
};

/** Tokens are opaque, but travel in JSON and in addresses, and are stored. */
const PRINTABLE = /^[\x21-\x7e]+$/;

/** A token that can be sent back; null if it is missing, too long or not printable. */
export const asToken = (raw: unknown): string | null =>
  typeof raw === 'string' && raw.length <= bounds.token && PRINTABLE.test(raw) ? raw : null;

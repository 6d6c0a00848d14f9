import { z } from 'zod';
import { RefusedAnswer, refusal, verdicts } from './classification/refusal.ts';
import { bounds } from './config/limits.ts';

/** What costs a parser its time, by its character codes. */
type Marks = { readonly [code: number]: 1 | undefined };

const marksOf = (marks: string): Marks =>
  Object.fromEntries([...marks].map((mark) => [mark.charCodeAt(0), 1]));

/** Brackets, tags and entities: of captions and feeds, whose texts have quotes. */
export const MARKUP = marksOf('{[<&');
/** Brackets and quotes, which every field and every text has two of. */
const JSON_MARKS = marksOf('{["');

/** Whether a body has more of these marks than `most`. Nobody waits for the count of a short one. */
export const isTooDense = (body: string, marks: Marks, most: number): boolean => {
  let left = most;
  for (let at = 0; body.length - at > left; at += 1) {
    if (marks[body.charCodeAt(at)] === 1) left -= 1;
    if (left < 0) return true;
  }
  return false;
};

/** The JSON of an answer. Throws RefusedAnswer for what would keep the parser busy, and the parser's error for what is none. */
export const parseAnswer = (body: string): unknown => {
  if (isTooDense(body, JSON_MARKS, bounds.answerMarks))
    throw new RefusedAnswer(refusal('too_dense', verdicts.odd));
  return JSON.parse(body);
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;
const PADDING = /[\u200b\ufeff]/g;

const HALF_AT_THE_END = /[\ud800-\udbff]$/;

/** The first `most` UTF-16 units, without half a character at the end. */
const cutTo = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(HALF_AT_THE_END, '');

/** Text of one line of at most `most` UTF-16 units: no control characters, no lone surrogates, no outer space. */
export const plainLine = (text: string, most: number): string =>
  cutTo(text, most).toWellFormed().replace(CONTROLS, '').replace(/\s+/g, ' ').trim();

/** The same with every space as its author set it: a title that others compare letter by letter. */
export const exactLine = (text: string, most: number): string =>
  cutTo(text, most)
    .toWellFormed()
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]/g, ' ')
    .replace(CONTROLS, '');

/** Caption text: `\n` as its only line break, without zero-width padding or characters that no file may hold. */
export const captionText = (text: string): string =>
  text.toWellFormed().replace(/\r\n?/g, '\n').replace(CONTROLS, '').replace(PADDING, '').trim();

/** A value of which nothing is refused, so that no time goes into telling what is wrong: most answers lack most of what may be there. */
export const reading = <T>(read: (value: unknown) => T) => z.unknown().optional().transform(read);

/** A text in any of the platform's three ways to write one; null for anything else. */
export const textOf = (value: unknown): string | null => {
  if (typeof value === 'string') return value;
  const { simpleText, runs } = fieldsOf(value);
  if (typeof simpleText === 'string') return simpleText;
  if (!Array.isArray(runs)) return null;
  const texts = runs.slice(0, bounds.runs).map((run) => fieldsOf(run).text);
  return texts.every((part) => typeof part === 'string') ? texts.join('') : null;
};

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const line = (most: number) =>
  reading((value) => {
    const found = textOf(value);
    return found === null ? null : plainLine(found, most);
  });

/** The platform's three ways to write a text, cut where it is endless; anything else is null. */
export const text = line(bounds.line);
export const trackName = line(bounds.trackName);
/** An id, a date or a mark. */
export const stringOrNull = reading((value) =>
  typeof value === 'string' && value.length <= bounds.mark ? value : null,
);
export const flag = reading((value) => value === true);
export const index = reading((value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null,
);

/** Any object, its values unknown. */
export const bag = reading(fieldsOf);
/** At most the first `most` items; none if there is no list. */
export const list = (most: number) =>
  reading((value): readonly unknown[] => (Array.isArray(value) ? value.slice(0, most) : []));

type Parsed<T> = { readonly items: readonly T[]; readonly omitted: number };

/** The items that fit, in their order; what does not fit is left out and counted. */
export function fittingItems<Schema extends z.ZodType>(
  schema: Schema,
  raw: readonly unknown[],
): Parsed<z.infer<Schema>> {
  const items = raw.flatMap((item) => {
    const result = schema.safeParse(item);
    return result.success ? [result.data] : [];
  });
  return { items, omitted: raw.length - items.length };
}

/** The value at a path of keys; undefined where the path leaves objects. */
export const inside = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? (found as Record<string | number, unknown>)[key]
        : undefined,
    value,
  );

/** The list at a path, cut to `most`; empty where there is none. */
export const listInside = (
  value: unknown,
  path: readonly (string | number)[],
  most: number = bounds.parts,
): readonly unknown[] => {
  const found = inside(value, ...path);
  return Array.isArray(found) ? found.slice(0, most) : [];
};

/** The values of one key in every element of a list that has it. */
export const each = (items: readonly unknown[], key: string): readonly unknown[] =>
  items.flatMap((item) => {
    const found = inside(item, key);
    return found === undefined ? [] : [found];
  });

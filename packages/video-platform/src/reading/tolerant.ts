import { z } from 'zod';
import { meanings, RefusedAnswer, refusal } from '../classification/index.ts';
import { bounds } from '../config/limits.ts';

/** The characters that cost a parser its time, by their codes. */
type Marks = { readonly [code: number]: 1 | undefined };

const toMarks = (marks: string): Marks => Object.fromEntries([...marks].map((mark) => [mark.charCodeAt(0), 1]));

/** For captions and feeds, whose texts contain quotes: brackets, tags and entities. */
export const MARKUP = toMarks('{[<&');
/** For JSON: brackets, and the quotes of fields and texts. */
const JSON_MARKS = toMarks('{["');

/** Returns true if a body has more than `max` of these marks. Stops counting as soon as the answer is known. */
export const isTooDense = (body: string, marks: Marks, max: number): boolean => {
  let remaining = max;
  for (let at = 0; body.length - at > remaining; at += 1) {
    if (marks[body.charCodeAt(at)] === 1) remaining -= 1;
    if (remaining < 0) return true;
  }
  return false;
};

/** Parses JSON. Throws RefusedAnswer if the body would keep the parser busy, and the parser's error for invalid JSON. */
export const parseAnswer = (body: string): unknown => {
  if (isTooDense(body, JSON_MARKS, bounds.answerMarks))
    throw new RefusedAnswer(refusal('too_dense', meanings.odd));
  // A byte order mark and blanks may stand before it.
  return JSON.parse(body.trimStart());
};

/** The same; null for what is no JSON, such as an HTML page, or too dense: its status alone says what it is. */
export const tryParseAnswer = (body: string): unknown => {
  try {
    return parseAnswer(body);
  } catch {
    return null;
  }
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: some readers break lines at the ASCII separators
const LINE_BREAKS = /\r\n?|[\n\v\f\u001c-\u001e\u0085\u2028\u2029]/g;
/** Controls and the code points that are no characters, which some readers refuse together with their text. */
const UNWANTED = /[[\p{Cc}\p{Noncharacter_Code_Point}]--[\t\n]]/gv;
const PADDING = /[\u200b\ufeff]/g;
const HALF_AT_THE_END = /[\ud800-\udbff]$/;

/** The first `max` UTF-16 units, without half a character at the end. */
export const cutTo = (text: string, max: number): string =>
  text.length <= max ? text : text.slice(0, max).replace(HALF_AT_THE_END, '');

/** One line of at most `max` UTF-16 units, without control characters, lone surrogates and outer space. */
export const plainLine = (text: string, max: number): string =>
  cutTo(text, max).toWellFormed().replace(LINE_BREAKS, ' ').replace(UNWANTED, '').replace(/\s+/g, ' ').trim();

/** The same with the author's spaces kept, for titles that are compared letter by letter. */
export const exactLine = (text: string, max: number): string =>
  cutTo(text, max).toWellFormed().replace(LINE_BREAKS, ' ').replaceAll('\t', ' ').replace(UNWANTED, '');

const plainText = (text: string): string =>
  text.toWellFormed().replace(LINE_BREAKS, '\n').replace(UNWANTED, '');

/** Text with `\n` as its only line break, without control characters. */
export const paragraphs = (text: string): string => plainText(text).trim();

/** The same for captions, also without zero-width padding. */
export const captionText = (text: string): string => plainText(text).replace(PADDING, '').trim();

/** A schema that accepts everything, so that zod spends no time on issues: most answers lack most of the possible fields. */
export const reading = <T>(read: (value: unknown) => T) => z.unknown().optional().transform(read);

/** A text in one of the platform's three notations (string, `simpleText`, `runs`); null for anything else. */
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

const line = (max: number) =>
  reading((value) => {
    const content = textOf(value);
    return content === null ? null : plainLine(content, max);
  });

export const text = line(bounds.line);
export const trackName = line(bounds.trackName);
/** An id, a date or a label. */
export const stringOrNull = reading((value) =>
  typeof value === 'string' && value.length <= bounds.mark ? value : null,
);
export const flag = reading((value) => value === true);
export const index = reading((value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null,
);

export const bag = reading(fieldsOf);
/** The first `max` items; empty if there is no list. */
export const list = (max: number) =>
  reading((value): readonly unknown[] => (Array.isArray(value) ? value.slice(0, max) : []));

/** The items that fit the schema, in their order; the others are counted as `omitted`. */
export function fittingItems<Schema extends z.ZodType>(
  schema: Schema,
  raw: readonly unknown[],
): { readonly items: readonly z.infer<Schema>[]; readonly omitted: number } {
  const items = raw.flatMap((item) => {
    const result = schema.safeParse(item);
    return result.success ? [result.data] : [];
  });
  return { items, omitted: raw.length - items.length };
}

/** The value at a path of keys; undefined if the path leaves objects. */
export const inside = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (node, key) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, key)
        ? (node as Record<string | number, unknown>)[key]
        : undefined,
    value,
  );

/** The list at a path, cut to `max`; empty if there is none. */
export const listInside = (
  value: unknown,
  path: readonly (string | number)[],
  max: number = bounds.parts,
): readonly unknown[] => {
  const entries = inside(value, ...path);
  return Array.isArray(entries) ? entries.slice(0, max) : [];
};

/** The values of one key, from the elements that have it. */
export const each = (items: readonly unknown[], key: string): readonly unknown[] =>
  items.flatMap((item) => {
    const field = inside(item, key);
    return field === undefined ? [] : [field];
  });

/** An ISO time of any date text; null if it is none. */
export const isoDate = (date: string | null | undefined): string | null => {
  const at = new Date(date?.trim() ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
};

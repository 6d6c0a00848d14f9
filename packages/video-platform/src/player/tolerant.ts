import { z } from 'zod';
import { bounds } from '../config/bounds.ts';
import { plainLine } from '../plain-text.ts';

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

export type Parsed<T> = { readonly items: readonly T[]; readonly omitted: number };

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

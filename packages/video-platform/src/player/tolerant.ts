import { z } from 'zod';
import { bounds } from '../config/bounds.ts';
import { plainLine } from '../plain-text.ts';

/** An array of anything, of which only the first `most` items are looked at. */
const firstItems = (most: number) => z.array(z.unknown()).transform((items) => items.slice(0, most));

/** The platform's ways to write a text. */
export const textObject = z.union([
  z.string(),
  z.object({ simpleText: z.string() }).transform((text) => text.simpleText),
  z
    .object({ runs: firstItems(bounds.runs).pipe(z.array(z.object({ text: z.string() }))) })
    .transform((text) => text.runs.map((run) => run.text).join('')),
]);

const line = (most: number) =>
  textObject
    .transform((text) => plainLine(text, most))
    .nullable()
    .catch(null);

/** The platform's three ways to write a text, cut where it is endless; anything else is null. */
export const text = line(bounds.line);
export const trackName = line(bounds.trackName);
/** An id, a date or a mark. */
export const stringOrNull = z.string().max(bounds.mark).nullable().catch(null);
export const flag = z.boolean().catch(false);
export const index = z.number().int().nonnegative().nullable().catch(null);

/** Any object, its values unknown. */
export const bag = z
  .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null)
  .catch({});
/** At most the first `most` items; none if there is no list. */
export const list = (most: number) => firstItems(most).catch([]);

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

import { z } from 'zod';
import { plainLine } from '../plain-text.ts';

const textObject = z.union([
  z.string(),
  z.object({ simpleText: z.string() }).transform((text) => text.simpleText),
  z
    .object({ runs: z.array(z.object({ text: z.string() })) })
    .transform((text) => text.runs.map((run) => run.text).join('')),
]);

/** The platform's three ways to write a text; anything else is null. */
export const text = textObject.transform(plainLine).nullable().catch(null);
export const stringOrNull = z.string().nullable().catch(null);
export const flag = z.boolean().catch(false);
export const index = z.number().int().nonnegative().nullable().catch(null);

/** Any object, as a bag of unknown values. */
export const bag = z.record(z.string(), z.unknown()).catch({});
export const list = z.array(z.unknown()).catch([]);

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

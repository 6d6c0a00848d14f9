import { z } from 'zod';

const HALF_AT_THE_END = /[\ud800-\udbff]$/;
const CONTROLS = /\p{Cc}/gu;

const cutLine = (text: string, most: number): string => {
  const cut = text.length <= most ? text : text.slice(0, most).replace(HALF_AT_THE_END, '');
  return cut.toWellFormed().replace(CONTROLS, ' ');
};

/**
 * A stranger's text on one line of at most `most` UTF-16 units. Longer text is cut when it enters or leaves a process, so a
 * message is never too large for the bus.
 */
export const line = (most: number) =>
  z
    .string()
    .overwrite((text) => cutLine(text, most))
    .max(most);

/** At most the first `most` items. */
export const listOf = <Item extends z.ZodType>(item: Item, most: number) =>
  z
    .array(item)
    .overwrite((items) => items.slice(0, most))
    .max(most);

/** The first items that together take at most `mostBytes` in JSON. */
export const firstWithin = <Item>(items: readonly Item[], mostBytes: number): Item[] => {
  let left = mostBytes;
  const end = items.findIndex((each) => {
    left -= Buffer.byteLength(JSON.stringify(each)) + 1;
    return left < 0;
  });
  return end < 0 ? [...items] : items.slice(0, end);
};

/** A list of at most `mostBytes` in JSON: a reader gets the first items only. */
export const listWithin = <Item extends z.ZodType>(item: Item, mostBytes: number) =>
  z
    .array(item)
    .overwrite((items) => firstWithin(items, mostBytes))
    .meta({ mostBytes });

/** An object with a name in the OpenAPI document. */
export const namedObject = <Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) =>
  z.object(shape).meta({ id });

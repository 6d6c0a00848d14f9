import { hash } from 'node:crypto';
import { z } from 'zod';

export const MAX_LANGUAGE_TAG_LENGTH = 35;

/** Lower case, as databases and seals have it; input may have capitals. */
export const uuid = z.uuid().toLowerCase();

const TIME_DIGITS = 12;
const RANDOM_DIGITS = 19;
const DRAWN_BYTES = 2_048;

/** Random hex digits, drawn many at a time: a draw takes longer than the rest of an id. */
const createDigits =
  (pool = '', at = 0) =>
  (count: number): string => {
    if (at + count > pool.length) {
      pool = Buffer.from(crypto.getRandomValues(new Uint8Array(DRAWN_BYTES))).toString('hex');
      at = 0;
    }
    at += count;
    return pool.slice(at - count, at);
  };
const drawDigits = createDigits();

/**
 * Creates a UUIDv7: the time in milliseconds, then 74 random bits. Rows that are partitioned by month are found by this time.
 */
export const newId = (now: Date = new Date()): string => {
  const time = now.getTime().toString(16).padStart(TIME_DIGITS, '0');
  const random = drawDigits(RANDOM_DIGITS);
  const variant = '89ab'[Number.parseInt(random.slice(0, 1), 16) % 4];
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-${variant}${random.slice(4, 7)}-${random.slice(7)}`;
};

const UUID_OF_DIGEST = /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/;

/** A UUID of version 8 that is derived from these parts: the same ones have the same id, also after a restore. */
export const derivedId = (...parts: readonly string[]): string =>
  hash('sha256', parts.join()).replace(UUID_OF_DIGEST, '$1-$2-8$3-8$4-$5');

/** The creation time of an id of `newId`. */
export const timeOfId = (id: string): Date =>
  new Date(Number.parseInt(id.replace('-', '').slice(0, TIME_DIGITS), 16));

/** The lowest id that `newId` creates at a moment or later: the begin of a range of ids. */
export const lowestIdAt = (at: Date): string => {
  const time = at.getTime().toString(16).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
};

/** In public shapes. The release before says no person. */
export const madeBy = uuid
  .nullable()
  .default(null)
  .meta({ id: 'MadeBy', description: 'Who made or caused it; null if unknown' });

/** How many there are of something. */
export const count = z.number().int().nonnegative();
/** The page of a list that a request asks for: `max` rows, at most. */
export const pageOf = (max: number) => ({ limit: z.number().int().min(1).max(max), offset: count });
/** Where an item stands in a list that grows: its time in milliseconds and its id. */
export const listCursor = z
  .string()
  .regex(/^\d{1,13}_[0-9a-f-]{36}$/)
  .refine((cursor) => uuid.safeParse(cursor.split('_').at(-1)).success);
/** The page of a list that grows while it is read: the one behind a cursor if there is one. */
export const pageAfter = (max: number, cursor: z.ZodType<string> = listCursor) => ({
  ...pageOf(max),
  after: cursor.optional(),
});
/** ISO 8601, UTC. */
export const time = z.iso.datetime();

/** A platform video id: exactly 11 characters of base64url. */
export const videoId = z.string().regex(/^[A-Za-z0-9_-]{11}$/);

export const CHANNEL_ID_LENGTH = 24;

/** A platform channel id. */
export const channelId = z.string().regex(/^UC[A-Za-z0-9_-]{22}$/);

/** A monitor's id: 32 characters in lower case. */
export const monitorId = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-z]{32}$/);

/** Language, script, region and at most one variant, in canonical case. No language has a code of more than three letters. */
const NAMED_BY_TAG = /^[a-z]{2,3}(?![a-z])(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?(-[a-z\d]{4,8})?/;

const TWO_LETTERS = 2;
/** Codes for private use in ISO 639, which name no language. */
const PRIVATE_USE = /^q[a-t][a-z]$/;
const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** ICU knows all codes of two letters. Of the thousands of three it lacks some that the platform has, so these pass. */
const isLanguage = (code: string): boolean =>
  code.length === TWO_LETTERS ? languageNames.of(code) !== undefined : !PRIVATE_USE.test(code);

/** RFC 5646: an extended language, such as zh-yue, is the language yue. */
const EXTENDED = /^(?:ar|kok|lv|ms|sgn|sw|uz|zh)-(?=[a-z]{3}(?:-|$))/i;

const canonicalTag = (tag: string): string | null => {
  try {
    const { language, baseName } = new Intl.Locale(tag.replace(EXTENDED, ''));
    return isLanguage(language) ? (NAMED_BY_TAG.exec(baseName)?.[0] ?? null) : null;
  } catch {
    return null;
  }
};

/**
 * A BCP 47 language tag in canonical form (`PT-br` becomes `pt-BR`); others are rejected. Extensions and private use (`-u-`, `-t-`,
 * `-x-`) name no language and are dropped.
 */
export const languageTag = z
  .string()
  .max(MAX_LANGUAGE_TAG_LENGTH)
  .transform((tag, context) => {
    const canonical = canonicalTag(tag);
    if (canonical !== null) return canonical;
    context.addIssue('not a BCP 47 language tag');
    return z.NEVER;
  });

const HALF_AT_THE_END = /[\ud800-\udbff]$/;
const CONTROLS = /\p{Cc}/gu;

const cutText = (value: string, maxLength: number, unwanted: RegExp): string => {
  const shortened = value.length <= maxLength ? value : value.slice(0, maxLength).replace(HALF_AT_THE_END, '');
  return shortened.toWellFormed().replace(unwanted, ' ');
};

/**
 * Foreign text on one line of at most `maxLength` UTF-16 units. Longer text is cut when it is parsed, so a message never becomes too
 * large for the bus.
 */
export const line = (maxLength: number) =>
  z
    .string()
    .overwrite((value) => cutText(value, maxLength, CONTROLS))
    .max(maxLength);

/** Tabs and line breaks are part of a text. */
const CONTROLS_OF_TEXT = /[\p{Cc}--[\t\n]]/gv;

/** Foreign text of several lines, cut like `line`. */
export const text = (maxLength: number) =>
  z
    .string()
    .overwrite((value) => cutText(value, maxLength, CONTROLS_OF_TEXT))
    .max(maxLength);

/** At most the first `maxItems` items. */
export const firstItems = <Item extends z.ZodType>(item: Item, maxItems: number) =>
  z
    .array(item)
    .overwrite((items) => items.slice(0, maxItems))
    .max(maxItems);

/** The first items that together take at most `maxBytes` in JSON. */
export const firstWithin = <Item>(items: readonly Item[], maxBytes: number): Item[] => {
  let remaining = maxBytes;
  const end = items.findIndex((each) => {
    remaining -= Buffer.byteLength(JSON.stringify(each)) + 1;
    return remaining < 0;
  });
  return end < 0 ? [...items] : items.slice(0, end);
};

/** A list of at most `maxBytes` in JSON: a reader gets the first items only. */
export const listWithin = <Item extends z.ZodType>(item: Item, maxBytes: number) =>
  z
    .array(item)
    .overwrite((items) => firstWithin(items, maxBytes))
    .meta({ maxBytes });

/** A page has at most 100 items, and the longest cursor is of 69 characters: all of them fit. */
const MAX_CURSORS_BYTES = 8 * 1_024;
/** Beside the items of a page that grows while it is read. Absent from the release before. */
export const cursorReply = {
  /** Items before the page, as the list is now. */
  offset: count.optional(),
  /** One for each item. */
  cursors: listWithin(z.string(), MAX_CURSORS_BYTES).optional(),
};

/** An object with a name in the OpenAPI document. */
export const namedObject = <Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) =>
  z.object(shape).meta({ id });

import { z } from 'zod';

export const LONGEST_LANGUAGE_TAG = 35;

/** In lower case, as databases and seals know it: an id is the same id however its hex digits are written. */
export const uuid = z.uuid().toLowerCase();

const TIME_DIGITS = 12;
const VERSION_AT = 14;

/**
 * A UUIDv7: the time in milliseconds, then 74 random bits. What is kept by month, such as the ledger's reservations, is found by
 * the time in its id.
 */
export const newId = (now: Date = new Date()): string => {
  const time = now.getTime().toString(16).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(VERSION_AT + 1)}`;
};

/** When an id of `newId` was made. */
export const timeOf = (id: string): Date =>
  new Date(Number.parseInt(id.replace('-', '').slice(0, TIME_DIGITS), 16));

/** A platform video id: exactly 11 characters of base64url. */
export const videoId = z.string().regex(/^[A-Za-z0-9_-]{11}$/);

export const CHANNEL_ID_LENGTH = 24;

/** A platform channel id. */
export const channelId = z.string().regex(/^UC[A-Za-z0-9_-]{22}$/);

/** Monitors have ids of 32 characters, in lower case as databases know them. */
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

const canonicalTag = (tag: string): string | null => {
  try {
    const { language, baseName } = new Intl.Locale(tag);
    return isLanguage(language) ? (NAMED_BY_TAG.exec(baseName)?.[0] ?? null) : null;
  } catch {
    return null;
  }
};

/**
 * A BCP 47 language tag in canonical form (`PT-br` becomes `pt-BR`); anything else is refused. What says how to write
 * numbers or is private (`-u-`, `-t-`, `-x-`) names no language and has endless values, so it is dropped.
 */
export const languageTag = z
  .string()
  .max(LONGEST_LANGUAGE_TAG)
  .transform((tag, context) => {
    const canonical = canonicalTag(tag);
    if (canonical !== null) return canonical;
    context.addIssue('not a BCP 47 language tag');
    return z.NEVER;
  });

import { undoEscapes } from './escapes.ts';
import { type PlatformAddress, readAddress } from './platform-address.ts';

/**
 * No address holds these characters unencoded; commas and brackets separate lists and markdown, and other scripts have their own. A
 * scheme begins an address, unless it is the value of a parameter.
 */
export const SEPARATORS =
  /[\s"'<>|\\^`{}()[\],;\u00ab\u00bb\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f\ufe10-\ufe6f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+|(?<!=)(?=https?:\/\/)/i;
const HOST =
  /(?<![\w-])(?:https?:\/\/)?(?:[a-z]{1,10}\.)?(?:youtube(?:-nocookie|kids|education)?\.com|youtu\.be|youtube\.googleapis\.com|ytimg\.com|(?:www|m)-youtube-com\.translate\.goog)\.?[/:?]/i;
/** Part of every host and of hardly any word: a cheap first check. */
const HOST_MARK = /youtu|ytimg/i;
/** What is read of a link; the rest is parameters. */
export const MAX_LINK_LENGTH = 2_048;
/** Spaces, quotes, brackets and invisible characters that people copy with an address, and the punctuation behind it. */
const MAX_AROUND = 32;
const BEFORE = /^[\s\p{Cf}\p{Pi}\p{Ps}"'<]{1,32}/u;
const AFTER =
  /[\s\p{Cf}\p{Pf}\p{Pe}\p{Pi}"'>.,;:!?*~\\\u2026\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f]{1,32}$/u;

/** The characters that shape an address, as the parameter of another one has them. */
const ENCODED = /%(?:25){0,2}(2f|3a|3d|3f|26)/gi;

/** Without the punctuation that a sentence leaves behind it. */
export const trimEnd = (text: string): string => text.replace(AFTER, '');

/** Reads the address of the platform in a word of a text, which may be the parameter of another one. */
export const readLink = (word: string): PlatformAddress | 'malformed' | 'nothing' => {
  if (!HOST_MARK.test(word)) return 'nothing';
  const plain = HOST.test(word)
    ? word
    : word.replace(ENCODED, (_all, code: string) => decodeURIComponent(`%${code}`));
  const at = HOST.exec(plain)?.index;
  if (at === undefined) return 'nothing';
  return readAddress(trimEnd(plain.slice(at, at + MAX_LINK_LENGTH))) ?? 'malformed';
};

/** A name goes on behind a space or an escape that is not known: it may be a part of the one that is meant. */
const isPart = (text: string, word: string): boolean =>
  text.split(word).some((rest, at) => at > 0 && /^(?:\\|\s+[^\s"'])/.test(rest));

/** The one address in a link of Markdown, a command of LaTeX, or the address of a filter; null if there are several. */
const readMarkup = (text: string): PlatformAddress | null => {
  const found = new Map<string, PlatformAddress>();
  for (const word of text.split(SEPARATORS)) {
    const address = readLink(word);
    if (address === 'nothing') continue;
    if (address === 'malformed' || (address.kind !== 'video' && isPart(text, word))) return null;
    found.set(JSON.stringify(address), address);
  }
  return found.size === 1 ? ([...found.values()][0] as PlatformAddress) : null;
};

/**
 * Reads an address of any shape that the platform has used, as people copy it, a bare id, a handle or a list key. An address of a video
 * inside a playlist names the video. Null is none of the platform's, or a video whose id is malformed. Linear in the length.
 */
export const parsePlatformAddress = (text: string): PlatformAddress | null => {
  if (text.length > MAX_LINK_LENGTH + 2 * MAX_AROUND) return null;
  const input = trimEnd(undoEscapes(text).replace(BEFORE, ''));
  if (input.length === 0 || input.length > MAX_LINK_LENGTH) return null;
  const address = readAddress(input);
  return address === null || address.kind === 'other' ? (readMarkup(input) ?? address) : address;
};

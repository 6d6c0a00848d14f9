import type { ErrorCode } from '@tds/errors';
import { parsePlatformAddress } from '@tds/platform-addresses';

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const languageCodes = LETTERS.flatMap((one) => LETTERS.map((other) => one + other));

/** The code of a language by its English name; undefined if it names none. */
const findLanguage = (name: string): string | undefined => {
  const wanted = name.trim().toLowerCase();
  return languageCodes.findLast((code) => languageNames.of(code)?.toLowerCase() === wanted);
};

const findVideoId = (address: string): string | undefined => {
  const parsed = parsePlatformAddress(address);
  return parsed?.kind === 'video' ? parsed.id : undefined;
};

const askFor = (meant: string | undefined): string => (meant === undefined ? '' : ` Did you mean ${meant}?`);

/** A language that is written out, or an address in place of the id in it. */
export const suggestionFor = (code: ErrorCode, value: unknown): string => {
  if (typeof value !== 'string') return '';
  if (code === 'invalid_language') return askFor(findLanguage(value));
  return code === 'invalid_video_id' ? askFor(findVideoId(value)) : '';
};

import type { Cue } from '@tds/contracts';
import { singleLine } from './cues.ts';
import { mergeLayers } from './layers.ts';

const eastAsianMarks = '\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65';
const eastAsianLetters = `\\p{Script=Han}\\p{Script_Extensions=Hiragana}\\p{Script_Extensions=Katakana}${eastAsianMarks}`;
const eastAsianLetter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const eastAsian = new RegExp(`[${eastAsianLetters}]`, 'u');
const unspacedLetters = `${eastAsianLetters}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}`;
/** Scripts that are written without spaces between words, with their marks. */
const unspaced = new RegExp(`[${unspacedLetters}]`, 'u');
/** Letters and digits that stand in an East Asian sentence without spaces. Korean has spaces. */
const foreign = /[[\p{L}\p{N}]--\p{Script=Hangul}]/v;
/** Thai, the first of these scripts in Unicode. */
const FIRST_UNSPACED = 0x0e00;

const lastCharacter = (text: string): string => {
  const last = text.slice(-1);
  return last >= '\udc00' && last <= '\udfff' ? text.slice(-2) : last;
};
const firstCharacter = (text: string): string => String.fromCodePoint(text.codePointAt(0) ?? 0);

/** Sentences of these scripts have a space between them. */
const spacedMark = /[၊။។៕]/;

/** What joins two texts. */
export type CaptionSeparator = (before: string, after: string) => '' | ' ';

/** What joins two lines of captions into running text: a space, but nothing inside a sentence of a script without spaces. */
const separatorBetween: CaptionSeparator = (before, after) => {
  const isSpaced =
    before.charCodeAt(before.length - 1) < FIRST_UNSPACED && after.charCodeAt(0) < FIRST_UNSPACED;
  if (isSpaced) return ' ';
  const [left, right] = [lastCharacter(before), firstCharacter(after)];
  if (spacedMark.test(left)) return ' ';
  if (unspaced.test(left) && unspaced.test(right)) return '';
  // Marks such as 《》 stand in texts of other scripts, too.
  const isInside =
    (eastAsian.test(left) && foreign.test(right) && eastAsianLetter.test(before)) ||
    (foreign.test(left) && eastAsian.test(right) && eastAsianLetter.test(after));
  return isInside ? '' : ' ';
};

/** Texts as one running text. */
export const joinTexts = (texts: readonly string[], separate = separatorBetween): string => {
  let result = '';
  let before = '';
  for (const text of texts) {
    result += before === '' ? text : separate(before, text) + text;
    before = text;
  }
  return result;
};

const mayBeUnspaced = /[\u0e00-\uffff]/;

const unspacedStop = /[。．、，｡､၊။។៕]/;
/** Of ten captions in such a script one has a mark, if their author sets marks. */
const MIN_MARKED_SHARE = 0.1;

/** What joins the captions of a transcript. If their author sets no marks, a space keeps the breaks of captions in scripts without spaces. */
export const createCaptionSeparator = (cues: readonly Cue[]): CaptionSeparator => {
  const written = cues.filter(({ text }) => mayBeUnspaced.test(text) && unspaced.test(text));
  const marked = written.filter(({ text }) => unspacedStop.test(text));
  return marked.length < written.length * MIN_MARKED_SHARE ? () => ' ' : separatorBetween;
};

const otherLetter = /[\p{L}--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]/v;
/** Null if its letters are of both kinds, or there are none. */
const isEastAsian = (line: string): boolean | null => {
  const isIt = eastAsianLetter.test(line);
  return isIt === otherLetter.test(line) ? null : isIt;
};

/** What joins two lines of a caption: a space if they are in two scripts, as a text and its translation. */
const separateLines: CaptionSeparator = (before, after) => {
  const kinds = [isEastAsian(before), isEastAsian(after)];
  return kinds.includes(true) && kinds.includes(false) ? ' ' : separatorBetween(before, after);
};

/** The lines of a caption as running text. */
export const joinLines = (text: string): string =>
  mayBeUnspaced.test(text) ? joinTexts(text.split('\n'), separateLines) : singleLine(text);

const spacedWord = /[\p{L}\p{N}]\S*/gu;
const unspacedLetter = new RegExp(`(?=\\p{L})[${unspacedLetters}]`, 'gu');

const countMatches = (pattern: RegExp, text: string): number => {
  let count = 0;
  pattern.lastIndex = 0;
  while (pattern.test(text)) count += 1;
  return count;
};

/** How long a text is, as its readers count: in words, and in characters if its script has no spaces between words. */
export const textLength = (text: string): { readonly unit: 'Words' | 'Characters'; readonly count: number } => {
  const words = countMatches(spacedWord, text);
  const characters = countMatches(unspacedLetter, text);
  return characters > words ? { unit: 'Characters', count: characters } : { unit: 'Words', count: words };
};

/** What stands between spaces, and each second letter of a script without spaces: about the words that readers of text count. */
export const countTokens = (text: string): number =>
  countMatches(/\S+/g, text) +
  (mayBeUnspaced.test(text) ? Math.ceil(countMatches(unspacedLetter, text) / 2) : 0);

/** The words of a transcript, from normalized cues; null if its script has no spaces between them. */
export const countWords = (cues: readonly Cue[]): number | null => {
  const texts = mergeLayers(cues).map(({ text }) => joinLines(text));
  const { unit, count } = textLength(joinTexts(texts, createCaptionSeparator(cues)));
  return unit === 'Words' ? count : null;
};

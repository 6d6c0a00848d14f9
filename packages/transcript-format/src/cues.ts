import type { CaptionKind, Chapter, Cue, VideoDetails, Word } from '@tds/contracts';

/** The input of a rendering; the cues may be raw. */
export type TranscriptInput = {
  readonly cues: readonly Cue[];
  readonly video: VideoDetails;
  readonly language: { readonly delivered: string; readonly kind: CaptionKind };
};

/** The chapters of a video in their order; none if they are unknown. */
export const sortChapters = ({ chapters }: Pick<VideoDetails, 'chapters'>): readonly Chapter[] =>
  (chapters ?? []).toSorted((one, other) => one.start - other.start);

/** Marks, embeddings, overrides and isolates that change the direction of surrounding text. */
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Untrusted text that cannot reorder the text around it. */
export const withoutBidiControls = (text: string): string => text.replace(bidiControls, '');

/** The same without tags, which models read and people do not see. */
export const withoutHiddenMarks = (text: string): string =>
  withoutBidiControls(text).replace(/[\u{e0000}-\u{e007f}]/gu, '');

// biome-ignore lint/suspicious/noControlCharactersInRegex: some readers break lines at the ASCII separators
const lineBreaks = /\r\n?|[\n\v\f\u001c-\u001e\u0085\u2028\u2029]/g;
// The platform pads styled captions with zero width spaces; joiners (U+200C, U+200D) carry meaning and stay. Some players drop a cue with
// a code point that is no character.
const unwanted = /[[\p{Cc}\p{Noncharacter_Code_Point}\u200b\u2060\ufeff]--\n]/gv;
const visible = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

export const hasVisibleText = (text: string): boolean => visible.test(text);

// Most text is clean, and searching it for unwanted characters costs more than all else here. So first test for text that is known to be
// clean: lines of Latin letters and common punctuation, without outer spaces.
const plainLine =
  '[!-~\\u00a1-\\u00ac\\u00ae-\\u02ff](?:[ -~\\u00a1-\\u02ff\\u2010-\\u2027]*[!-~\\u00a1-\\u02ff\\u2010-\\u2027])?';
const plainText = new RegExp(`^${plainLine}(?:\\n${plainLine})*$`);

const cleanUnusualText = (text: string): string =>
  text
    .toWellFormed()
    .replace(lineBreaks, '\n')
    .replaceAll('\t', ' ')
    .replace(unwanted, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(hasVisibleText)
    .join('\n');

/** Well-formed text of trimmed, visible lines separated by "\n"; empty if nothing is visible. */
export const cleanText = (text: string): string => (plainText.test(text) ? text : cleanUnusualText(text));

/** Clean text on one line. */
export const singleLine = (text: string): string => text.replaceAll('\n', ' ');

const wholeMs = (ms: number): number =>
  Number.isFinite(ms) ? Math.min(Math.max(0, Math.round(ms)), Number.MAX_SAFE_INTEGER) : 0;

const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '');

/** Clean words; null if they do not make up the text. */
const normalizeWords = (words: readonly Word[], text: string): readonly Word[] | null => {
  const cleanWords = words
    .map((word) => ({ startMs: wholeMs(word.startMs), text: singleLine(cleanText(word.text)) }))
    .filter((word) => word.text !== '');
  return withoutSpace(cleanWords.map((word) => word.text).join('')) === withoutSpace(text) ? cleanWords : null;
};

/** Whether cues keep the times of their words: as they are, or cleaned. */
export type WordTiming = 'none' | 'raw' | 'exact';

const normalizeCue = (cue: Cue, timing: WordTiming): Cue => {
  const text = cleanText(cue.text);
  const words = timing === 'exact' && cue.words ? normalizeWords(cue.words, text) : cue.words;
  return {
    startMs: wholeMs(cue.startMs),
    durationMs: wholeMs(cue.durationMs),
    text,
    ...(timing !== 'none' && words && { words }),
  };
};

export const withoutWords = ({ words: _, ...cue }: Cue): Cue => cue;

/**
 * The cues of every format: clean text, whole milliseconds, no empty cue, stably sorted by start. Repeated texts stay: a refrain looks
 * like a duplicate.
 */
export const normalizeCues = (cues: readonly Cue[], timing: WordTiming = 'exact'): Cue[] =>
  cues
    .map((cue) => normalizeCue(cue, timing))
    .filter((cue) => cue.text !== '')
    .sort((one, other) => one.startMs - other.startMs);

const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0');

const clockParts = (wholeSeconds: number): [hours: number, minutes: number, seconds: number] => [
  Math.floor(wholeSeconds / 3600),
  Math.floor(wholeSeconds / 60) % 60,
  wholeSeconds % 60,
];

/** `MM:SS`, from one hour on `H:MM:SS`. */
export const readingTime = (wholeSeconds: number): string => {
  const [hours, minutes, seconds] = clockParts(wholeSeconds);
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds)}` : `${pad(minutes)}:${pad(seconds)}`;
};

/** `HH:MM:SS,mmm` (SubRip) or `HH:MM:SS.mmm` (WebVTT) of whole milliseconds; hours take more digits from 100 on. */
export const subtitleTime = (wholeMs: number, decimalMark: ',' | '.'): string => {
  const [hours, minutes, seconds] = clockParts(Math.floor(wholeMs / 1000));
  return `${pad(hours)}:${pad(minutes)}:${pad(seconds)}${decimalMark}${pad(wholeMs % 1000, 3)}`;
};

export type DisplaySpan = { readonly startMs: number; readonly endMs: number; readonly text: string };

/** Nobody sees what is on screen for less: a picture of quick video. */
const FRAME_MS = 20;
/** Of a cue without a duration, unless another follows before. */
const UNTIMED_MS = 3_000;

/** Captions that start together, as lines of one cue. */
const stackCaptions = (cues: readonly Cue[]): Cue[] => {
  const stacks: Cue[] = [];
  for (const cue of cues) {
    const stack = stacks.at(-1);
    if (!stack || cue.startMs - stack.startMs >= FRAME_MS) {
      stacks.push(cue);
      continue;
    }
    const durationMs = Math.max(stack.durationMs, cue.startMs - stack.startMs + cue.durationMs);
    stacks[stacks.length - 1] = { ...stack, durationMs, text: `${stack.text}\n${cue.text}` };
  }
  return stacks;
};

/**
 * What players draw of normalized cues, one after the other: of two that are on screen together they draw the later one above, or never. So
 * captions that start together are one cue with their lines in order, and a cue ends when the next begins.
 */
export const displaySpans = (cues: readonly Cue[]): DisplaySpan[] =>
  stackCaptions(cues).map(({ startMs, durationMs, text }, index, stacks) => {
    const endMs = startMs + (durationMs < FRAME_MS ? UNTIMED_MS : durationMs);
    return { startMs, endMs: Math.min(endMs, stacks[index + 1]?.startMs ?? endMs), text };
  });

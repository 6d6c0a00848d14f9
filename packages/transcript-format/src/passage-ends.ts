import {
  CONTEXT,
  endsSentence,
  isAbbreviation,
  isBoundary,
  sentenceMark,
  skipSpaces,
} from './sentence-ends.ts';
import type { FindWordEnd, Range } from './word-ends.ts';

const words = new Intl.Segmenter('und', { granularity: 'word' });
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** A caption may end inside a word if the script has no spaces, and behind an abbreviation. */
const endsWord = (text: string, end: number): boolean =>
  !isAbbreviation(text, end) && (skipSpaces(text, end) > end || isBoundary(words, text, end));

/** A place where a passage may end, and the silence there. */
type Candidate = { readonly end: number; readonly pauseMs: number };

/** Shorter differences between pauses are not heard. */
const PAUSE_STEP_MS = 250;
/** Of so many candidates one is good, unless the text is hostile. */
const MAX_CHECKED = 8;

/** Less than any pause: the time of a passage is exact only if it begins with a caption. */
const INSIDE_CAPTION = -1;

const rank = ({ pauseMs }: Candidate): number => Math.floor(pauseMs / PAUSE_STEP_MS);

/** The first good one, the longest pauses first, and of equal ones the last. The candidates ascend. */
const chooseEnd = (candidates: readonly Candidate[], isGood: (end: number) => boolean): number | null => {
  let remaining = candidates;
  for (let checked = 0; checked < MAX_CHECKED && remaining.length > 0; checked += 1) {
    const best = remaining.reduce((one, other) => (rank(other) >= rank(one) ? other : one));
    if (isGood(best.end)) return best.end;
    remaining = remaining.filter((each) => each !== best);
  }
  return null;
};

/** Marks in a range, with the pauses of the captions that end there. Captions and marks ascend. */
const findSentenceMarks = (text: string, { min, max }: Range, captions: readonly Candidate[]): Candidate[] => {
  const marks: Candidate[] = [];
  let next = 0;
  for (const { 0: mark, index } of text.slice(min, max).matchAll(sentenceMark)) {
    const end = min + index + mark.length;
    while ((captions[next]?.end ?? end) < end) next += 1;
    const caption = captions[next];
    marks.push(caption?.end === end ? caption : { end, pauseMs: INSIDE_CAPTION });
  }
  return marks;
};

/** Where sentences end in a range. */
export const listSentenceEnds = (text: string, range: Range): number[] =>
  findSentenceMarks(text, range, []).flatMap(({ end }) => (endsSentence(text, end) ? [end] : []));

/** The last place before `max` that is between words, or else between graphemes; a grapheme of that length is cut. */
const endInside = (text: string, { min, max }: Range): number => {
  const space = text.slice(min, max + 1).search(/\s\S*$/u);
  if (space > 0) return min + space;
  const from = max - CONTEXT;
  const around = text.slice(from, max + CONTEXT);
  for (const segmenter of [words, graphemes]) {
    const index = segmenter.segment(around).containing(CONTEXT)?.index ?? 0;
    if (index > 0) return from + index;
  }
  return text.charCodeAt(max) >= 0xdc00 && text.charCodeAt(max) <= 0xdfff ? max - 1 : max;
};

/** The least that a passage should have, and a rest, in proportion to the most. */
const MIN_SHARE = 3 / 7;
const MIN_REST_SHARE = 1 / 7;

type PassageText = {
  readonly text: string;
  /** Those that end in reach. */
  readonly captions: readonly Candidate[];
  readonly findWordEnd: FindWordEnd;
};

/**
 * Where the passage that begins at `from` ends: at the longest pause between sentences, else between clauses if their words are known, else
 * between captions, else between words.
 */
export const findPassageEnd = (
  { text, captions, findWordEnd }: PassageText,
  from: number,
  maxCharacters: number,
): number => {
  const remaining = text.length - from;
  if (remaining <= maxCharacters) return text.length;
  const minRest = Math.round(maxCharacters * MIN_REST_SHARE);
  const max = from + Math.min(maxCharacters, remaining - minRest);
  const usualRange = { min: from + Math.round(maxCharacters * MIN_SHARE), max };
  const shortRange = { min: from + minRest, max: usualRange.min };
  const isSentence = (end: number) => endsSentence(text, end);
  return (
    chooseEnd(findSentenceMarks(text, usualRange, captions), isSentence) ??
    chooseEnd(findSentenceMarks(text, shortRange, captions), isSentence) ??
    findWordEnd(usualRange) ??
    chooseEnd(
      captions.filter(({ end }) => end >= usualRange.min && end <= max),
      (end) => endsWord(text, end),
    ) ??
    endInside(text, usualRange)
  );
};

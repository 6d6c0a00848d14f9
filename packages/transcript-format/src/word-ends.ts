import type { Word } from '@tds/contracts';
import type { ClauseWords } from './clause-words.ts';
import { isAbbreviation } from './sentence-ends.ts';

/** Of quick speech. It only compares pauses, so it need not be exact. */
export const SPOKEN_MS_PER_CHARACTER = 65;
const MIN_WORD_MS = 150;
/** A longer silence ends no more than a clause. */
const MAX_PAUSE_MS = 1_500;
/** Where the words have no times, a caption ends at a phrase rather than inside of it. */
const CAPTION_END_MS = 300;
/** More than any pause: people hesitate after such words. */
const ENDS_NO_CLAUSE_MS = -3_000;
const IS_BETWEEN_CLAUSES_MS = 600;

/** What is said in one caption, by its place in a text. */
type SpokenPiece = {
  readonly start: number;
  readonly end: number;
  /** The silence behind it, as captions have it. */
  readonly pauseMs: number;
  readonly words?: readonly Word[] | undefined;
};
export type Range = { readonly min: number; readonly max: number };
/** Finds the best end between two words; null if there is none, or nothing is known of the language. */
export type FindWordEnd = (range: Range) => number | null;

const toPause = (ms: number): number => (ms > 0 ? Math.min(ms, MAX_PAUSE_MS) : 0);

const SPACE = 32;

/** The silence before each word, by its position. Captions whose words have no times only have one before their first. */
const measurePauses = (text: string, pieces: readonly SpokenPiece[]): Uint16Array => {
  const pauses = new Uint16Array(text.length);
  let pauseMs = 0;
  let saidMs: number | null = null;
  for (const piece of pieces) {
    pauses[piece.start] = toPause(pauseMs + CAPTION_END_MS);
    let at = piece.start;
    for (const word of piece.words ?? []) {
      if (text.charCodeAt(at) === SPACE) at += 1;
      if (at >= piece.end) break;
      if (saidMs !== null) pauses[at] = toPause(word.startMs - saidMs);
      const { length } = word.text.trimStart();
      saidMs = word.startMs + Math.max(MIN_WORD_MS, length * SPOKEN_MS_PER_CHARACTER);
      at += length;
    }
    if (at < piece.end) saidMs = null;
    pauseMs = piece.pauseMs;
  }
  return pauses;
};

/** Commas and the like end clauses in every language. */
const closing = /[,;:،؛、，；：]$/u;
/** Characters that show which word comes next. */
const NEXT_WORD = 50;

const rateBreak = (clauses: ClauseWords, word: string, next: string): number => {
  if (clauses.endsNoClause(word) || isAbbreviation(word, word.length)) return ENDS_NO_CLAUSE_MS;
  const isBetween = closing.test(word) || clauses.endsClause(word) || clauses.beginsClause(next);
  return isBetween ? IS_BETWEEN_CLAUSES_MS : 0;
};

/**
 * Scores every space between two words by the silence there, and by the words beside it: the best ends a passage, of equal ones the last.
 */
export const createWordEnds = (
  text: string,
  pieces: readonly SpokenPiece[],
  clauses: ClauseWords | null,
): FindWordEnd => {
  let pauses: Uint16Array | undefined;
  return ({ min, max }) => {
    if (clauses === null) return null;
    pauses ??= measurePauses(text, pieces);
    const part = text.slice(min, max + NEXT_WORD);
    const lastSpace = max - min;
    let best: { end: number | null; score: number } = { end: null, score: Number.NEGATIVE_INFINITY };
    let from = 0;
    for (let end = part.indexOf(' '); end >= 0 && end <= lastSpace; end = part.indexOf(' ', from)) {
      const pauseMs = pauses[min + end + 1] ?? 0;
      // Most are worse than the best whatever their words are.
      if (end > from && pauseMs + IS_BETWEEN_CLAUSES_MS >= best.score) {
        const next = part.slice(end + 1, part.indexOf(' ', end + 1));
        const score = pauseMs + rateBreak(clauses, part.slice(from, end), next);
        if (score >= best.score) best = { end: min + end, score };
      }
      from = end + 1;
    }
    return best.end;
  };
};

import type { Word } from '@tds/contracts';
import type { ClauseWords } from './clause-words.ts';

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
export type SpokenPiece = {
  readonly start: number;
  readonly end: number;
  /** The silence behind it, as captions have it. */
  readonly pauseMs: number;
  readonly words?: readonly Word[] | undefined;
};
export type Range = { readonly min: number; readonly max: number };
/** Finds the best end between two words; null if there is none, or nothing is known of the language. */
export type FindWordEnd = (range: Range) => number | null;

const toPause = (ms: number): number => Math.min(Math.max(0, ms), MAX_PAUSE_MS);

/** The silence before each word, by its position. Captions whose words have no times only have one before their first. */
const measurePauses = (text: string, pieces: readonly SpokenPiece[]): Uint16Array => {
  const pauses = new Uint16Array(text.length);
  const spaces = /\s*/y;
  let before: Word | null = null;
  let pauseMs = 0;
  for (const piece of pieces) {
    pauses[piece.start] = toPause(pauseMs + CAPTION_END_MS);
    let at = piece.start;
    for (const word of piece.words ?? []) {
      spaces.lastIndex = at;
      spaces.test(text);
      at = spaces.lastIndex;
      if (at >= piece.end) break;
      if (before !== null) {
        const saidMs = Math.max(MIN_WORD_MS, before.text.length * SPOKEN_MS_PER_CHARACTER);
        pauses[at] = toPause(word.startMs - before.startMs - saidMs);
      }
      before = word;
      at += word.text.length;
    }
    if (at < piece.end) before = null;
    pauseMs = piece.pauseMs;
  }
  return pauses;
};

/** Commas and the like end clauses in every language. */
const closing = /[,;:،؛、，；：]$/u;
const spokenWord = /\S+/g;
/** Characters that show which word comes next. */
const NEXT_WORD = 50;

/**
 * Scores every space between two words by the silence there, and by the words beside it: the best ends a passage, of equal ones the last.
 */
export const createWordEnds = (
  text: string,
  pieces: readonly SpokenPiece[],
  clauses: ClauseWords | null,
): FindWordEnd => {
  if (clauses === null) return () => null;
  let pauses: Uint16Array | undefined;
  const rate = (word: string, next: string): number => {
    if (clauses.endsNoClause(word)) return ENDS_NO_CLAUSE_MS;
    const isBetween = closing.test(word) || clauses.endsClause(word) || clauses.beginsClause(next);
    return isBetween ? IS_BETWEEN_CLAUSES_MS : 0;
  };
  return ({ min, max }) => {
    pauses ??= measurePauses(text, pieces);
    let best = { end: -1, score: Number.NEGATIVE_INFINITY };
    let before = '';
    let end = min;
    for (const { 0: word, index } of text.slice(min, max + NEXT_WORD).matchAll(spokenWord)) {
      if (end > max) break;
      const score = rate(before, word) + (pauses[min + index] ?? 0);
      if (before !== '' && score >= best.score) best = { end, score };
      before = word;
      end = min + index + word.length;
    }
    return best.end < 0 ? null : best.end;
  };
};

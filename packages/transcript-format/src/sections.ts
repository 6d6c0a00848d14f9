import type { Cue, Word } from '@tds/contracts';
import { type CaptionSeparator, createCaptionSeparator, joinLines } from './caption-text.ts';
import { type ClauseWords, findClauseWords } from './clause-words.ts';
import { createSoundFinder, createTurnFinder, isSung } from './speech-marks.ts';
import { createWordEnds, type FindWordEnd, SPOKEN_MS_PER_CHARACTER } from './word-ends.ts';

/** After that time with nothing on screen something else begins. */
export const SILENCE_MS = 10_000;

/** What one person says in one caption. */
type Piece = {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly pauseMs: number;
  /** Their times, if they are known. */
  readonly words?: readonly Word[] | undefined;
  /** It belongs to no passage that is open. */
  readonly begins: boolean;
  readonly isSound: boolean;
};

/**
 * The silence between two captions. Recognised captions stay on screen while the next one is said, so the end of their words is estimated.
 */
const pauseAfter = ({ startMs, durationMs, text }: Cue, next: Cue | undefined): number => {
  if (next === undefined) return 0;
  const shownUntilMs = startMs + durationMs;
  const saidUntilMs =
    shownUntilMs > next.startMs ? startMs + text.length * SPOKEN_MS_PER_CHARACTER : shownUntilMs;
  return Math.max(0, next.startMs - saidUntilMs);
};

const countLetters = (text: string): number => text.replaceAll(/\s/g, '').length;

/** Takes the words of the parts of a caption, one part after the other. */
const createWordTaker = (words: readonly Word[] | undefined) => {
  let next = 0;
  return (part: string): readonly Word[] | undefined => {
    const from = next;
    for (let left = countLetters(part); left > 0 && words?.[next]; next += 1)
      left -= countLetters(words[next]?.text ?? '');
    return words?.slice(from, next);
  };
};

type CueTiming = Omit<Piece, 'text' | 'begins'>;

/** Splits a caption at the positions where something else begins. */
const addPieces = (pieces: Piece[], text: string, starts: readonly number[], timing: CueTiming): void => {
  const { startMs, endMs, pauseMs, isSound } = timing;
  const takeWords = starts.length === 0 ? () => timing.words : createWordTaker(timing.words);
  let [from, begins] = [0, false];
  const add = (start: number) => {
    const part = text.slice(from, start).trim();
    if (part !== '') {
      const words = takeWords(part);
      pieces.push({ text: joinLines(part), startMs, endMs, pauseMs, words, begins, isSound });
    }
    [from, begins] = [start, true];
  };
  for (const start of starts) add(start);
  add(text.length);
};

/** The lines of a caption with a song may be of two people. */
const splitSongs = (cue: Cue): Cue[] =>
  cue.words || !isSung(cue.text) ? [cue] : cue.text.split('\n').map((text) => ({ ...cue, text }));

/** When each caption leaves the screen: at its end, at the latest when a later one starts. */
const findScreenEnds = (cues: readonly Cue[]): number[] => {
  const ends: number[] = [];
  let [laterStartMs, followingStartMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { startMs, durationMs } of cues.toReversed()) {
    if (startMs < followingStartMs) laterStartMs = followingStartMs;
    followingStartMs = startMs;
    ends.push(Math.min(startMs + Math.max(1, durationMs), laterStartMs));
  }
  return ends.reverse();
};

const WHOLE = [0];

const toPieces = (cues: readonly Cue[]): Piece[] => {
  const pieces: Piece[] = [];
  const ends = findScreenEnds(cues);
  const findTurns = createTurnFinder(cues);
  const isNoSpeech = createSoundFinder(cues);
  let shownUntilMs = 0;
  cues.forEach((cue, index) => {
    const { startMs, durationMs, text, words } = cue;
    const isSound = isNoSpeech(text);
    const pauseMs = pauseAfter(cue, cues[index + 1]);
    const isNew = startMs - shownUntilMs >= SILENCE_MS;
    const turns = isSound ? WHOLE : findTurns(text);
    const starts = isNew && turns[0] !== 0 ? [0, ...turns] : turns;
    const endMs = ends[index] ?? startMs;
    addPieces(pieces, text, starts, { startMs, endMs, pauseMs, words, isSound });
    shownUntilMs = Math.max(shownUntilMs, startMs + durationMs);
  });
  return pieces;
};

/** Pieces that passages may join: of a song, or of speech. */
const toRuns = (pieces: readonly Piece[]): Piece[][] => {
  const runs: Piece[][] = [];
  let run: Piece[] = [];
  for (const piece of pieces) {
    const last = run.at(-1);
    if (!last || piece.begins || last.isSound || isSung(last.text) !== isSung(piece.text)) {
      run = [];
      runs.push(run);
    }
    run.push(piece);
  }
  return runs;
};

type Placed = Omit<Piece, 'text' | 'begins' | 'isSound'> & { readonly start: number; readonly end: number };

/** Running text that passages cut. */
export type Section = {
  readonly text: string;
  readonly pieces: readonly Placed[];
  readonly findWordEnd: FindWordEnd;
};

type Joining = { readonly separate: CaptionSeparator; readonly clauses: ClauseWords | null };

const toSection = (run: readonly Piece[], { separate, clauses }: Joining): Section => {
  const parts: string[] = [];
  let [end, before] = [0, ''];
  const pieces = run.map(({ text, startMs, endMs, pauseMs, words }): Placed => {
    const separator = before === '' ? '' : separate(before, text);
    parts.push(separator, text);
    const start = end + separator.length;
    end = start + text.length;
    before = text;
    return { startMs, endMs, pauseMs, words, start, end };
  });
  const text = parts.join('');
  return { text, pieces, findWordEnd: createWordEnds(text, pieces, clauses) };
};

/** Sections of normalized cues: a speaker and a long silence begin one, and sounds and songs stand alone. */
export const toSections = (cues: readonly Cue[], language: string): Section[] => {
  const joining = { separate: createCaptionSeparator(cues), clauses: findClauseWords(language) };
  return toRuns(toPieces(cues.flatMap(splitSongs))).map((run) => toSection(run, joining));
};

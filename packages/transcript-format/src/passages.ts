import type { Chapter, Cue } from '@tds/contracts';
import { PASSAGE_CHARACTERS } from '@tds/contracts/passages';
import { joinLines, separatorBetween } from './caption-text.ts';
import { displaySpans } from './cues.ts';
import { findPassageEnd } from './passage-ends.ts';
import { createTurnFinder, isSoundMark } from './speech-marks.ts';

/** Where a caption begins: its position in the text of a passage, and its time. */
export type CaptionStart = readonly [offset: number, startMs: number];

/** Some sentences of running text. */
export type Passage = {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  readonly captions: readonly CaptionStart[];
};

/** After that time with nothing on screen something else begins. */
const SILENCE_MS = 10_000;
/** Of quick speech. It only compares pauses, so it need not be exact. */
const SPOKEN_MS_PER_CHARACTER = 65;

/** What one person says in one caption. */
type Piece = {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly pauseMs: number;
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

type CueTiming = Omit<Piece, 'text' | 'begins'>;

/** Splits a caption at the positions where something else begins. */
const addPieces = (pieces: Piece[], text: string, starts: readonly number[], timing: CueTiming): void => {
  let [from, begins] = [0, false];
  const add = (start: number) => {
    const part = text.slice(from, start).trim();
    const { startMs, endMs, pauseMs, isSound } = timing;
    if (part !== '') pieces.push({ text: joinLines(part), startMs, endMs, pauseMs, begins, isSound });
    [from, begins] = [start, true];
  };
  for (const start of starts) add(start);
  add(text.length);
};

const WHOLE = [0];

const toPieces = (cues: readonly Cue[], chapters: readonly Chapter[]): Piece[] => {
  const pieces: Piece[] = [];
  const spans = displaySpans(cues);
  const findTurns = createTurnFinder(cues);
  let chapter = 0;
  let shownUntilMs = 0;
  cues.forEach((cue, index) => {
    const { startMs, durationMs, text } = cue;
    const isSound = isSoundMark(text);
    const pauseMs = pauseAfter(cue, cues[index + 1]);
    let isNew = startMs - shownUntilMs >= SILENCE_MS;
    for (; (chapters[chapter]?.start ?? Number.POSITIVE_INFINITY) * 1_000 <= startMs; chapter += 1)
      isNew = true;
    const turns = isSound ? WHOLE : findTurns(text);
    const starts = isNew && turns[0] !== 0 ? [0, ...turns] : turns;
    addPieces(pieces, text, starts, { startMs, endMs: spans[index]?.endMs ?? startMs, pauseMs, isSound });
    shownUntilMs = Math.max(shownUntilMs, startMs + durationMs);
  });
  return pieces;
};

/** Pieces that passages may join. */
const toSections = (pieces: readonly Piece[]): Piece[][] => {
  const sections: Piece[][] = [];
  let section: Piece[] = [];
  for (const piece of pieces) {
    if (section.length === 0 || piece.begins || section.at(-1)?.isSound) {
      section = [];
      sections.push(section);
    }
    section.push(piece);
  }
  return sections;
};

type Placed = Pick<Piece, 'startMs' | 'endMs' | 'pauseMs'> & { readonly start: number; readonly end: number };

const join = (section: readonly Piece[]): { readonly text: string; readonly pieces: readonly Placed[] } => {
  const parts: string[] = [];
  let [end, before] = [0, ''];
  const pieces = section.map(({ text, startMs, endMs, pauseMs }): Placed => {
    const separator = before === '' ? '' : separatorBetween(before, text);
    parts.push(separator, text);
    const start = end + separator.length;
    end = start + text.length;
    before = text;
    return { startMs, endMs, pauseMs, start, end };
  });
  return { text: parts.join(''), pieces };
};

const cutSection = (section: readonly Piece[], maxCharacters: number): Passage[] => {
  const { text, pieces } = join(section);
  const passages: Passage[] = [];
  let [from, first] = [0, 0];
  while (from < text.length) {
    let inReach = first;
    while ((pieces[inReach]?.end ?? Number.POSITIVE_INFINITY) <= from + maxCharacters) inReach += 1;
    const end = findPassageEnd(text, from, maxCharacters, pieces.slice(first, inReach));
    let endMs = 0;
    let last = first;
    for (; last < pieces.length; last += 1) {
      endMs = Math.max(endMs, pieces[last]?.endMs ?? 0);
      if ((pieces[last]?.end ?? 0) >= end) break;
    }
    const part = text.slice(from, end).trimStart();
    const content = part.trimEnd();
    const captions = pieces
      .slice(first, last + 1)
      .map(({ start, startMs }): CaptionStart => [Math.max(0, start - end + part.length), startMs]);
    if (content !== '') passages.push({ startMs: pieces[first]?.startMs ?? 0, endMs, text: content, captions });
    from = end;
    first = (pieces[last]?.end ?? 0) > end ? last : last + 1;
  }
  return passages;
};

/**
 * Joins normalized cues without layers to passages of at most `maxCharacters`. A passage ends with a sentence, or at a pause if there is no
 * punctuation; a speaker, a chapter and a long silence begin one, and sounds stand alone. It begins with the caption that holds its first word,
 * so it is never later than that word. No word is changed, added or lost.
 */
export const toPassages = (
  cues: readonly Cue[],
  sortedChapters: readonly Chapter[],
  maxCharacters = PASSAGE_CHARACTERS,
): Passage[] =>
  toSections(toPieces(cues, sortedChapters)).flatMap((section) => cutSection(section, maxCharacters));
